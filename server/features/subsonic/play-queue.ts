// The play queue that a person's Subsonic apps share.
import { sql } from 'kysely'
import type { Tree } from './response.ts'
import { itemId, requireUuid } from './item-ids.ts'
import { readSongs } from './songs.ts'
import type { CallHandler, SubsonicCall } from './subsonic-call.ts'
import { SubsonicError } from './subsonic-error.ts'

const maxSongs = 10_000
const maxPositionMs = 7 * 24 * 3_600_000

export const savePlayQueue: CallHandler = async (call) => {
  const ids = readSongIds(call)
  const current = call.parameters.text('current')
  const index = current ? ids.indexOf(requireUuid('song', current)) : 0
  if (index < 0) throw new SubsonicError('generic', 'current is not in the queue')
  return save(call, ids, index)
}

export const savePlayQueueByIndex: CallHandler = async (call) => {
  const ids = readSongIds(call)
  const given = call.parameters.text('currentIndex')
  if (ids.length > 0 && !given) {
    throw new SubsonicError('missing_parameter', 'Required parameter is missing: currentIndex')
  }
  const index = call.parameters.integer('currentIndex', { or: 0, min: -1, max: maxSongs })
  if (ids.length > 0 && (index < 0 || index >= ids.length)) {
    throw new SubsonicError('missing_parameter', 'currentIndex is beyond the end of the queue')
  }
  return save(call, ids, index)
}

function readSongIds({ parameters }: SubsonicCall): string[] {
  return parameters
    .all('id')
    .slice(0, maxSongs)
    .map((id) => requireUuid('song', id))
}

/** Saves the queue, or deletes it if the request has no songs. */
async function save(
  { ctx, parameters }: SubsonicCall,
  ids: string[],
  index: number,
): Promise<Tree> {
  const { user_id } = ctx.actor
  if (ids.length === 0) {
    await ctx.db.query.deleteFrom('app_queues').where('user_id', '=', user_id).execute()
    return {}
  }
  const queue = {
    track_ids: ids,
    current_index: index,
    position_ms: parameters.integer('position', { or: 0, max: maxPositionMs }),
    changed_by: (parameters.text('c') ?? '').slice(0, 100),
    changed_at: sql<string>`now()`,
  }
  await ctx.db.query
    .insertInto('app_queues')
    .values({ user_id, ...queue })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(queue))
    .execute()
  return {}
}

interface Queue {
  /**
   * Index of the current song in `entry`. Hidden songs are left out of the list, so the index may differ from the saved
   * one.
   */
  index: number
  position: number
  entry: Tree[]
  by: { username: string; changed: string; changedBy: string }
}

async function read({ ctx }: SubsonicCall): Promise<Queue> {
  const { user_id, email: username } = ctx.actor
  const queue = await ctx.db.query
    .selectFrom('app_queues')
    .selectAll()
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (!queue) {
    const changed = new Date(0).toISOString()
    return { index: 0, position: 0, entry: [], by: { username, changed, changedBy: '' } }
  }
  const entry = await readSongs(
    ctx,
    sql`select id, place from unnest(${queue.track_ids}::uuid[]) with ordinality as q (id, place)`,
  )
  const wanted = itemId('song', queue.track_ids[queue.current_index] ?? '')
  const found = entry.findIndex(({ id }) => id === wanted)
  return {
    index: Math.max(0, found),
    position: found >= 0 ? queue.position_ms : 0,
    entry,
    by: { username, changed: queue.changed_at, changedBy: queue.changed_by },
  }
}

export const getPlayQueue: CallHandler = async (call) => {
  const { index, entry, position, by } = await read(call)
  return { playQueue: { current: entry[index]?.id, position, ...by, entry } }
}

export const getPlayQueueByIndex: CallHandler = async (call) => {
  const { index, entry, position, by } = await read(call)
  const currentIndex = entry.length > 0 ? index : undefined
  return { playQueueByIndex: { currentIndex, position, ...by, entry } }
}
