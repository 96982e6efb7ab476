// Selects candidates for a radio station: tracks similar to its seed tracks, tracks similar to those and, if there are
// too few, the newest tracks.
import { sql } from 'kysely'
import type { MemberContext } from '../../platform/operations/context.ts'
import { arrangeStation, type Candidate } from './arrange-station.ts'

/** Number of candidates per track of the station. */
const choice = 2
/** Maximum number of similar tracks for all seeds together. The best ones are kept. */
const maxCandidates = 200
const secondHopSeeds = 10
/** The score of a track that is similar to a similar track is multiplied by this. */
const secondHopShare = 0.6
const recentlyPlayedHours = 24

export interface StationRequest {
  seedIds: readonly string[]
  exclude: readonly string[]
  limit: number
}

/** Generates a radio station and returns its track ids in playing order. */
export async function createStation(
  ctx: MemberContext,
  { seedIds, exclude, limit }: StationRequest,
): Promise<string[]> {
  const [recentlyPlayed, neighbors, { before, seedSound }] = await Promise.all([
    readRecentlyPlayed(ctx),
    readNeighbors(ctx, seedIds),
    readEndOfQueue(ctx, seedIds, exclude),
  ])
  const found = new Map<string, Candidate>()
  const excluded = new Set([...exclude, ...seedIds])
  const take = (candidates: readonly Candidate[], share: number) => {
    for (const candidate of candidates) {
      if (excluded.has(candidate.id) || found.has(candidate.id)) continue
      found.set(candidate.id, { ...candidate, score: candidate.score * share })
    }
  }
  const countFresh = () => [...found.keys()].filter((id) => !recentlyPlayed.has(id)).length
  take(neighbors, 1)
  if (countFresh() < choice * limit && found.size > 0) {
    const nearest = [...found.values()].toSorted((a, b) => b.score - a.score)
    const secondHopSeedIds = nearest.slice(0, secondHopSeeds).map(({ id }) => id)
    take(await readNeighbors(ctx, secondHopSeedIds), secondHopShare)
  }
  if (countFresh() < limit) {
    const skipped = [...excluded, ...found.keys()]
    take(await readNewest(ctx, seedIds, [...skipped, ...recentlyPlayed], limit), 0.1)
    // Too few tracks have not been played in the last 24 hours, so add recently played ones.
    if (countFresh() < limit) take(await readNewest(ctx, seedIds, skipped, limit), 0.05)
  }
  const all = [...found.values()]
  const fresh = arrangeStation(
    all.filter(({ id }) => !recentlyPlayed.has(id)),
    { limit, before, seedSound },
  )
  if (fresh.length === limit) return fresh.map(({ id }) => id)
  const rest = arrangeStation(
    all.filter(({ id }) => recentlyPlayed.has(id)),
    {
      limit: limit - fresh.length,
      before: [...before, ...fresh.map(({ artist }) => artist)],
    },
  )
  return [...fresh, ...rest].map(({ id }) => id)
}

async function readRecentlyPlayed(ctx: MemberContext): Promise<Set<string>> {
  const since = new Date(ctx.now().getTime() - recentlyPlayedHours * 3600_000).toISOString()
  const rows = await ctx.db.query
    .selectFrom('plays')
    .select('track_id')
    .distinct()
    .where('user_id', '=', ctx.actor.user_id)
    .where('reported_at', '>', since)
    .execute()
  return new Set(rows.map(({ track_id }) => track_id))
}

const facts = sql`t.id, t.title, t.artist, s.tempo, s.key, s.is_minor`

/**
 * Reads the tracks similar to the seeds. A track that is similar to several seeds ranks higher than one that is similar
 * to a single seed.
 */
async function readNeighbors(
  { db }: MemberContext,
  seedIds: readonly string[],
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select ${facts}, l.score
      from (
        select u.id, (0.7 * max(u.score) + 0.3 * sum(u.score) / ${seedIds.length}::int)::real as score
          from track_neighbours n cross join unnest(n.neighbour_ids, n.scores) u (id, score)
         where n.track_id = any(${seedIds}) group by u.id
         order by score desc limit ${maxCandidates}
      ) l
      join tracks t on t.id = l.id and t.is_published
      left join track_sounds s on s.track_id = t.id`.execute(db.query)
  return rows
}

/** The newest tracks. Those in the seeds' categories come first. */
async function readNewest(
  { db }: MemberContext,
  seedIds: readonly string[],
  exclude: readonly string[],
  limit: number,
): Promise<Candidate[]> {
  const newest = (condition: ReturnType<typeof sql>) => sql`
    (select t.id, t.title, t.artist, t.created_at from tracks t
      where t.is_published and ${condition} and t.id <> all(${exclude})
      order by t.created_at desc, t.id desc limit ${limit})`
  const { rows } = await sql<Candidate>`
    select ${facts}, max(t.score) as score from (
      select *, 1.0::real as score from ${newest(
        sql`t.category = any(array(select category from track_categories where track_id = any(${seedIds})))`,
      )} same
      union all
      select *, 0.5::real as score from ${newest(sql`true`)} others
    ) t left join track_sounds s on s.track_id = t.id
    group by t.id, t.title, t.artist, s.tempo, s.key, s.is_minor`.execute(db.query)
  return rows
}

/** Reads the artists at the end of the queue, and the sound of its last track, from which the station continues. */
async function readEndOfQueue(
  { db }: MemberContext,
  seedIds: readonly string[],
  exclude: readonly string[],
): Promise<{ before: string[]; seedSound: Pick<Candidate, 'tempo' | 'key' | 'is_minor'> }> {
  const lastIds = exclude.slice(-2)
  const fromId = lastIds.at(-1) ?? seedIds[0] ?? null
  const rows = await db.query
    .selectFrom('tracks as t')
    .leftJoin('track_sounds as s', 's.track_id', 't.id')
    .select(['t.id', 't.artist', 's.tempo', 's.key', 's.is_minor'])
    .where('t.id', '=', sql<string>`any(${[...lastIds, fromId]}::uuid[])`)
    .execute()
  const rowOf = (id: string | null) => rows.find((row) => row.id === id)
  return {
    before: lastIds.flatMap((id) => rowOf(id)?.artist ?? []),
    seedSound: rowOf(fromId) ?? { tempo: null, key: null, is_minor: null },
  }
}
