// Similar tracks and radio for members. Streaming these tracks checks rights, previews and devices like any other
// stream.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/radio.ts'
import { track } from '#contract/tracks.ts'
import { readAsJson } from '../../platform/db/json-rows.ts'
import { type JsonText, serializeResponse } from '../../platform/db/ready-json.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { selectTrackCategories, selectTracks } from '../tracks/track-query.ts'
import { explainSimilarity, type ExplainableTrack } from './explain-similarity.ts'
import { readReleaseTracks, readSeeds } from './radio-seeds.ts'
import { createStation } from './station-candidates.ts'
import { getPieceKey } from './track-words.ts'

export async function listSimilarTracks(
  ctx: MemberContext,
  { params, query }: ParsedInput<typeof contract.listSimilarTracks>,
): Promise<JsonText<Output<typeof contract.listSimilarTracks>>> {
  return readSimilar(ctx, [params.id], query.limit)
}

/** Returns tracks similar to at least one track of the release. */
export async function listSimilarToRelease(
  ctx: MemberContext,
  { params, query }: ParsedInput<typeof contract.listSimilarToRelease>,
): Promise<JsonText<Output<typeof contract.listSimilarToRelease>>> {
  const { trackIds } = await readReleaseTracks(ctx, params.id)
  return readSimilar(ctx, trackIds, query.limit)
}

async function readSimilar(
  ctx: MemberContext,
  seedIds: readonly string[],
  limit: number,
): Promise<JsonText<Output<typeof contract.listSimilarTracks>>> {
  const { seeds, similar } = await findSimilar(ctx, seedIds, limit)
  const tracks = await readTracksInOrder(
    ctx,
    similar.map(({ id }) => id),
  )
  const reasons = new Map(
    similar.map((other) => {
      const seed = seeds.get(other.seed_id ?? '') ?? other
      return [other.id, explainSimilarity(seed, other, other.signal ?? 0)]
    }),
  )
  return serializeResponse<typeof contract.listSimilarTracks>({
    data: tracks.map(({ id, json }) => ({ track: json, reason: reasons.get(id) ?? '' })),
  })
}

type Similar = ExplainableTrack & Listed

/**
 * Returns the tracks most similar to the given seed tracks, best first. Throws `track_not_found` if none of the seeds
 * is published.
 */
export async function findSimilar(
  ctx: MemberContext,
  seedIds: readonly string[],
  limit: number,
): Promise<{ seeds: ReadonlyMap<string, Similar>; similar: Similar[] }> {
  // Seed tracks get the score 2, so that they rank above all other tracks.
  const { rows: found } = await sql<Similar>`
    with listed as (
      select id, null::uuid as seed_id, null::smallint as signal, 2::real as score
        from unnest(${seedIds}::uuid[]) seed (id)
      union all
      (select distinct on (u.id) u.id, n.track_id, u.signal, u.score
         from track_neighbours n
        cross join unnest(n.neighbour_ids, n.signals, n.scores) u (id, signal, score)
        where n.track_id = any(${seedIds}::uuid[]) and u.id <> all(${seedIds}::uuid[])
        order by u.id, u.score desc)
    )
    select t.id, t.title, t.artist, l.seed_id, l.signal, l.score, t.genre, ${selectTrackCategories('t')} as categories,
           t.moods, t.tags, s.tempo, s.key, s.is_minor
      from listed l
      join tracks t on t.id = l.id and t.is_published
      left join track_sounds s on s.track_id = t.id
     order by l.score desc, t.id limit ${2 * limit + seedIds.length}`.execute(ctx.db.query)
  const seeds = new Map(found.flatMap((row) => (row.seed_id === null ? [[row.id, row]] : [])))
  if (seeds.size === 0) throw new AppError('track_not_found')
  const similar = removeCopies(found).filter(({ seed_id }) => seed_id !== null)
  return { seeds, similar: similar.slice(0, limit) }
}

interface Listed {
  id: string
  /** The seed track that this one is similar to. Null if it is a seed itself. */
  seed_id: string | null
  title: string
  artist: string
  signal: number | null
  /** Similarity to the seed track, 0 to 1; 2 for a seed itself. */
  score: number
}

/**
 * Keeps one recording of each piece. Tracks are added to a stored list one at a time, so it may contain several
 * recordings of a piece.
 */
function removeCopies<Item extends Listed>(tracks: readonly Item[]): Item[] {
  const pieces = new Set<string>()
  return tracks.filter(({ artist, title }) => {
    const piece = getPieceKey(artist, title)
    const isNew = !pieces.has(piece)
    pieces.add(piece)
    return isNew
  })
}

/** Reads published tracks, in the order of `ids`. */
export async function readTracksInOrder(ctx: MemberContext, ids: readonly string[]) {
  const chosen = selectTracks(ctx.db, ctx.actor.user_id)
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
  const ids = await createStation(ctx, { seedIds, exclude: body.exclude, limit: body.limit })
  const tracks = await readTracksInOrder(ctx, ids)
  return serializeResponse<typeof contract.startRadio>({
    title,
    data: tracks.map(({ json }) => json),
  })
}
