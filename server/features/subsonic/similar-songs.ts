// Similar songs in the Subsonic API, from the lists of similar tracks that radio uses, and the extension
// sonicSimilarity.
import { sql, type RawBuilder } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import { findSimilar } from '../similar/radio-operations.ts'
import { createStation } from '../similar/station-candidates.ts'
import { findPath, readSteps } from '../similar/track-path.ts'
import type { Tree } from './response.ts'
import { findAlbum, findArtist } from './browsing.ts'
import { isLeading, songsOfRelease } from './catalogue.ts'
import { parseItemId, requireUuid } from './item-ids.ts'
import { maxPage } from './lists.ts'
import { readSongRows, readSongs, toSong } from './songs.ts'
import type { CallHandler, SubsonicCall } from './subsonic-call.ts'
import { notFound } from './subsonic-error.ts'

/** For an artist or an album, the number of its newest songs to which similar songs are searched. */
const maxSeeds = 20
/** Maximum number of similar tracks in a response. */
const maxSimilar = 50

async function similarSongs({ ctx, parameters }: SubsonicCall): Promise<Tree[]> {
  const count = parameters.integer('count', { or: 50, max: maxPage })
  const seedIds = await findSeeds(ctx, parameters.required('id'))
  if (count === 0 || seedIds.length === 0) return []
  return readSongs(
    ctx,
    selectInOrder(await createStation(ctx, { seedIds, exclude: [], limit: count })),
  )
}

export const getSimilarSongs: CallHandler = async (call) => ({
  similarSongs: { song: await similarSongs(call) },
})
export const getSimilarSongs2: CallHandler = async (call) => ({
  similarSongs2: { song: await similarSongs(call) },
})

/** Finds the songs to which similar ones are searched. Throws Subsonic error 70 for an unknown id. */
async function findSeeds(ctx: SubsonicCall['ctx'], id: string): Promise<string[]> {
  const parsed = parseItemId(id)
  if (!parsed || parsed.kind === 'playlist' || parsed.kind === 'cover') throw notFound('Item')
  const { kind, uuid } = parsed
  if (kind === 'artist') await findArtist(ctx, uuid)
  if (kind === 'album') await findAlbum(ctx, uuid)
  const { rows } = await sql<{ id: string }>`
    select t.id from tracks t where t.id in (${selectSeeds(kind, uuid)}) and ${isAvailable('t')}
     order by t.created_at desc, t.id limit ${maxSeeds}`.execute(ctx.db.query)
  if (kind === 'song' && rows.length === 0) throw notFound('Song')
  return rows.map((row) => row.id)
}

function selectSeeds(kind: 'song' | 'album' | 'artist', uuid: string): RawBuilder<unknown> {
  const itself = sql`select ${uuid}::uuid`
  if (kind === 'song') return itself
  if (kind === 'album') {
    return sql`${itself} union select song.id from releases r cross join lateral (select s.id from ${songsOfRelease}) song
                where r.id = ${uuid}::uuid`
  }
  return sql`
    select c.track_id from track_credits c where c.artist_id = ${uuid}::uuid and ${isLeading}
     union select e.track_id from release_credits c join release_tracks e on e.release_id = c.release_id
            where c.artist_id = ${uuid}::uuid`
}

export const getSonicSimilarTracks: CallHandler = async ({ ctx, parameters }) => {
  const id = requireUuid('song', parameters.required('id'))
  const count = parameters.integer('count', { or: 10, max: maxSimilar })
  const { similar } = await findSimilar(ctx, [id], count)
  return { sonicMatch: await readMatches(ctx, similar) }
}

export const findSonicPath: CallHandler = async ({ ctx, parameters }) => {
  const start = requireUuid('song', parameters.required('startSongId'))
  const end = requireUuid('song', parameters.required('endSongId'))
  const count = parameters.integer('count', { or: 25, min: 1, max: maxPage })
  const path = await findPath(ctx, start, end)
  // Not every song on the path has a stored similarity to the first one, so multiply the similarities of the steps.
  let score = 1
  const matches = (await readSteps(ctx, path)).map((step, place) => {
    score *= step
    return { id: path[place]!, score }
  })
  return { sonicMatch: await readMatches(ctx, sampleEvenly(matches, count)) }
}

/**
 * Selects at most `count` items: the first, the last, and evenly spaced items between them. The order stays the same.
 */
function sampleEvenly<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items]
  if (count === 1) return items.slice(0, 1)
  const stride = (items.length - 1) / (count - 1)
  return Array.from({ length: count }, (_, place) => items[Math.round(place * stride)]!)
}

async function readMatches(
  ctx: SubsonicCall['ctx'],
  matches: readonly { id: string; score: number }[],
): Promise<Tree[]> {
  const scores = new Map(matches.map(({ id, score }) => [id, score]))
  const rows = await readSongRows(ctx, selectInOrder([...scores.keys()]))
  return rows.map((row) => ({ entry: toSong(ctx, row), similarity: scores.get(row.id) ?? 0 }))
}

const selectInOrder = (ids: readonly string[]) =>
  sql`select id, place from unnest(${ids}::uuid[]) with ordinality as listed (id, place)`
