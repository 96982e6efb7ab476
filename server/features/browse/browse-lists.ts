// Caches the lists that every member opens, as response bytes. Any change of their data sends an event at its commit,
// which clears the whole cache. While the event connection is down, nothing is cached. Likes are personal: they are
// cached per member as positions in the list and written into a copy of the bytes.
import { LRUCache } from 'lru-cache'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { listCategories } from '#contract/categories.ts'
import { listTracks } from '#contract/tracks.ts'
import * as z from 'zod/mini'
import { listVisibleCategories } from '../categories/category-operations.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { type JsonText, ReadyJson } from '../../platform/db/ready-json.ts'
import { readTracks } from '../tracks/track-operations.ts'

type Input = ParsedInput<typeof listTracks>

export interface BrowseLists {
  listTracks: (
    ctx: MemberContext,
    input: Input,
  ) => Promise<JsonText<Output<typeof listTracks>> | ReadyJson>
  listCategories: (ctx: MemberContext) => Promise<Output<typeof listCategories> | ReadyJson>
  /** Call this after a member's own change of likes, so that the member sees it before the event arrives. */
  evictLikes: (userId: string) => void
}

interface CachedList {
  /** The response bytes, in which no track is marked as liked. */
  bytes: Buffer
  trackIds: string[]
  /** The offset in the bytes of each track's `false`, the value of `is_liked`. */
  likePlaces: number[]
}

/** The indexes of the tracks in a list that a member likes, sorted. */
type LikesIn = WeakMap<CachedList, Promise<number[]>>

const maxCachedLists = 100
const maxCachedMembers = 20_000
const unliked = '"is_liked":false'
const liked = Buffer.from('true')
const nobody = '00000000-0000-0000-0000-000000000000'

export function createBrowseLists(
  db: Database,
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>,
): BrowseLists {
  const lists = new LRUCache<string, Promise<CachedList>>({ max: maxCachedLists })
  const categories = new Map<'all', Promise<ReadyJson>>()
  const likes = new LRUCache<string, LikesIn>({ max: maxCachedMembers })
  const evictLikes = (userId: string) => void likes.delete(userId)
  const evictLists = () => {
    lists.clear()
    categories.clear()
  }
  bus.on('catalogue', evictLists)
  bus.on('likes', evictLikes)
  bus.onMissed(() => {
    evictLists()
    likes.clear()
  })

  const findList = (ctx: MemberContext, input: Input) => {
    const { category = '', order = 'newest', direction = '', limit } = input.query
    // Read from `db`, never from a replica that lags behind: an entry must not already be stale when it is cached.
    return readCached(lists, `${order} ${direction} ${limit} ${category}`, () =>
      readList({ ...ctx, db }, input),
    )
  }
  const findLikes = (userId: string, list: CachedList) => {
    const ofMember = likes.get(userId) ?? new WeakMap<CachedList, Promise<number[]>>()
    if (!likes.has(userId)) likes.set(userId, ofMember)
    return readCached(ofMember, list, () => readLikes(db, userId, list))
  }
  return {
    evictLikes,
    async listCategories(ctx) {
      if (!bus.isConnected()) return listVisibleCategories(ctx)
      return readCached(categories, 'all', () => readCategories({ ...ctx, db }))
    },
    async listTracks(ctx, input) {
      const { q, liked: likedOnly, artist, mood, cursor } = input.query
      const isFiltered = Boolean(q?.trim()) || likedOnly || artist || mood !== undefined
      if (!bus.isConnected() || isFiltered || cursor !== undefined) {
        return readTracks(ctx, input)
      }
      const list = await findList(ctx, input)
      return new ReadyJson(writeLikes(list, await findLikes(ctx.actor.user_id, list)))
    },
  }
}

async function readCategories(ctx: MemberContext): Promise<ReadyJson> {
  const result = z.parse(listCategories.output!, await listVisibleCategories(ctx))
  return new ReadyJson(Buffer.from(JSON.stringify(result)))
}

/**
 * Reads through the cache. Failures are not cached. If an entry is evicted while it is being read, only requests that
 * are already waiting get it.
 */
function readCached<K, V>(
  kept: {
    get: (key: K) => Promise<V> | undefined
    set: (key: K, value: Promise<V>) => unknown
    delete: (key: K) => unknown
  },
  key: K,
  read: () => Promise<V>,
): Promise<V> {
  const hit = kept.get(key)
  if (hit) return hit
  const reading = read()
  kept.set(key, reading)
  reading.catch(() => {
    if (kept.get(key) === reading) kept.delete(key)
  })
  return reading
}

async function readList(ctx: MemberContext, input: Input): Promise<CachedList> {
  const asNobody = { ...ctx, actor: { ...ctx.actor, user_id: nobody } }
  const { text } = await readTracks(asNobody, input)
  const { data } = z.parse(listTracks.output!, JSON.parse(text))
  const bytes = Buffer.from(text)
  const likePlaces: number[] = []
  // Quotes inside JSON strings are escaped, so the searched bytes occur only as this field.
  for (let at = bytes.indexOf(unliked); at >= 0; at = bytes.indexOf(unliked, at + 1)) {
    likePlaces.push(at + unliked.length - 'false'.length)
  }
  return { bytes, trackIds: data.map(({ id }) => id), likePlaces }
}

async function readLikes(db: Database, userId: string, list: CachedList): Promise<number[]> {
  if (list.trackIds.length === 0) return []
  const rows = await db.query
    .selectFrom('likes')
    .select('track_id')
    .where('user_id', '=', userId)
    .where('track_id', 'in', list.trackIds)
    .execute()
  const ids = new Set(rows.map(({ track_id }) => track_id))
  return list.trackIds.flatMap((id, index) => (ids.has(id) ? [index] : []))
}

function writeLikes({ bytes, likePlaces }: CachedList, indexes: readonly number[]): Buffer {
  if (indexes.length === 0) return bytes
  const pieces: Buffer[] = []
  let from = 0
  for (const index of indexes) {
    const place = likePlaces[index]!
    pieces.push(bytes.subarray(from, place), liked)
    from = place + 'false'.length
  }
  return Buffer.concat([...pieces, bytes.subarray(from)])
}
