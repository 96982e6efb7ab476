// Similar tracks and radio for members. Previews, ranges and devices are as for any track: streams check them.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/radio.ts'
import type { RadioSeed } from '#contract/radio.ts'
import { track } from '#contract/tracks.ts'
import { readAsJson } from '../../platform/db/json-rows.ts'
import { type JsonText, readyJson } from '../../platform/db/ready-json.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { isReadableBy } from '../playlists/playlist-access.ts'
import { smartTrackIds } from '../smart-playlists/smart-tracks.ts'
import { trackQuery } from '../tracks/track-query.ts'
import { explainSimilarity, type Explained } from './explain-similarity.ts'
import { makeStation } from './station-candidates.ts'
import { pieceOf } from './track-words.ts'

/** Of a playlist or of likes. */
const mostSeeds = 20

export async function listSimilarTracks(
  ctx: MemberContext,
  { params, query }: ParsedInput<typeof contract.listSimilarTracks>,
): Promise<JsonText<Output<typeof contract.listSimilarTracks>>> {
  const { rows: found } = await sql<Explained & Listed>`
    with listed as (
      select ${params.id}::uuid as id, null::smallint as signal, 0::bigint as place
      union all
      select u.id, u.signal, u.place
        from track_neighbours n
       cross join unnest(n.neighbour_ids, n.signals) with ordinality u (id, signal, place)
       where n.track_id = ${params.id}
    )
    select t.id, t.title, t.artist, l.signal, t.genre, t.category, t.tags, s.tempo, s.key, s.is_minor
      from listed l
      join tracks t on t.id = l.id and t.is_published
      left join track_sounds s on s.track_id = t.id
     order by l.place limit ${2 * query.limit + 1}`.execute(ctx.db.query)
  const [seed, ...others] = found
  if (!seed || seed.id !== params.id) throw new AppError('track_not_found')
  const similar = withoutCopies(others).slice(0, query.limit)
  const tracks = await readTracksInOrder(
    ctx,
    similar.map(({ id }) => id),
  )
  const reasons = new Map(
    similar.map((other) => [other.id, explainSimilarity(seed, other, other.signal ?? 0)]),
  )
  return readyJson<typeof contract.listSimilarTracks>({
    data: tracks.map(({ id, json }) => ({ track: json, reason: reasons.get(id) ?? '' })),
  })
}

interface Listed {
  id: string
  title: string
  artist: string
  signal: number | null
}

/** One recording of each piece: a list gains new tracks one by one, and may have gained another recording before. */
function withoutCopies<Item extends Listed>(tracks: readonly Item[]): Item[] {
  const pieces = new Set<string>()
  return tracks.filter(({ artist, title }) => {
    const piece = pieceOf(artist, title)
    const isNew = !pieces.has(piece)
    pieces.add(piece)
    return isNew
  })
}

/** Published tracks in the order of `ids`. */
export async function readTracksInOrder(ctx: MemberContext, ids: readonly string[]) {
  const chosen = trackQuery(ctx.db, ctx.actor.user_id)
    .where('t.is_published', '=', true)
    .where('t.id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy(sql`array_position(${ids}::uuid[], t.id)`)
  return readAsJson(ctx.db, track, chosen, ['id'])
}

export async function startRadio(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.startRadio>,
): Promise<JsonText<Output<typeof contract.startRadio>>> {
  const { title, seedIds } = await readSeeds(ctx, body.seed)
  const ids = await makeStation(ctx, { seedIds, exclude: body.exclude, limit: body.limit })
  const tracks = await readTracksInOrder(ctx, ids)
  return readyJson<typeof contract.startRadio>({ title, data: tracks.map(({ json }) => json) })
}

interface Seeds {
  title: string
  seedIds: string[]
}

async function readSeeds(ctx: MemberContext, seed: RadioSeed): Promise<Seeds> {
  switch (seed.kind) {
    case 'track':
      return seedsOfTrack(ctx, seed.id)
    case 'playlist':
      return seedsOfPlaylist(ctx, seed.id)
    case 'likes':
      return { title: 'Radio: from your likes', seedIds: await readLikes(ctx) }
    case 'artist':
      return {
        title: `Radio: similar to ${seed.name}`,
        seedIds: await readArtist(ctx, seed.name),
      }
  }
}

async function seedsOfTrack({ db }: MemberContext, id: string): Promise<Seeds> {
  const found = await db.query
    .selectFrom('tracks')
    .select('title')
    .where('id', '=', id)
    .where('is_published', '=', true)
    .executeTakeFirst()
  if (!found) throw new AppError('track_not_found')
  return { title: `Radio: similar to ${found.title}`, seedIds: [id] }
}

/** Tracks from all parts of the playlist, the same ones each time. */
async function seedsOfPlaylist(ctx: MemberContext, id: string): Promise<Seeds> {
  const found = await ctx.db.query
    .selectFrom('playlists')
    .select(['title', 'rules'])
    .where('id', '=', id)
    .where(isReadableBy(ctx.actor.user_id))
    .executeTakeFirst()
  if (!found) throw new AppError('playlist_not_found')
  const title = `Radio: similar to ${found.title}`
  if (found.rules) {
    const reader = { userId: ctx.actor.user_id, now: ctx.now() }
    const limit = Math.min(found.rules.limit, mostSeeds)
    return { title, seedIds: await smartTrackIds(ctx.db, { ...found.rules, limit }, reader) }
  }
  const rows = await ctx.db.query
    .selectFrom('playlist_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select('t.id')
    .where('e.playlist_id', '=', id)
    .where('t.is_published', '=', true)
    .orderBy(sql`md5(e.id::text)`)
    .limit(mostSeeds)
    .execute()
  return { title, seedIds: rows.map((row) => row.id) }
}

/** The latest likes. */
async function readLikes({ db, actor }: MemberContext): Promise<string[]> {
  const rows = await db.query
    .selectFrom('likes as l')
    .innerJoin('tracks as t', 't.id', 'l.track_id')
    .select('t.id')
    .where('l.user_id', '=', actor.user_id)
    .where('t.is_published', '=', true)
    .orderBy('l.created_at', 'desc')
    .orderBy('t.id')
    .limit(mostSeeds)
    .execute()
  return rows.map(({ id }) => id)
}

async function readArtist({ db }: MemberContext, name: string): Promise<string[]> {
  const rows = await db.query
    .selectFrom('tracks')
    .select('id')
    .where('artist', '=', name)
    .where('is_published', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostSeeds)
    .execute()
  if (rows.length === 0) throw new AppError('track_not_found')
  return rows.map(({ id }) => id)
}
