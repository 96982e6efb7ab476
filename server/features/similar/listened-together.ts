// Finds tracks that members played shortly before or after a track.
import type pg from 'pg'
import type { ListenedTogether } from './compare-tracks.ts'

const latestPlays = 300
const sessionMinutes = 30
/** The number of plays in common that results in a confidence of 0.5. Fewer plays may be coincidence. */
const halfConfidence = 20

/**
 * Counts plays within half an hour of each track's latest plays, minus skips. The result is divided by the number of
 * plays of both tracks, so that popular tracks are not similar to everything.
 */
export async function readListenedTogether(
  client: pg.ClientBase,
  trackIds: readonly string[],
): Promise<Map<string, ListenedTogether>> {
  const { rows } = await client.query<{
    track_id: string
    other_id: string
    together: number
    plays: number
    other_plays: number
  }>(
    `with heard as (
       select p.track_id, p.user_id, p.counted_at
         from unnest($1::uuid[]) wanted (id)
        cross join lateral (
          select track_id, user_id, counted_at from plays
           where track_id = wanted.id and counted_at is not null
           order by counted_at desc limit $2
        ) p
     ), pairs as (
       select h.track_id, o.track_id as other_id,
              sum(case when o.counted_at is not null then 1 else -1 end)::int as together
         from heard h
         join plays o on o.user_id = h.user_id and o.track_id <> h.track_id
          and o.reported_at between h.counted_at - make_interval(mins => $3)
                                and h.counted_at + make_interval(mins => $3)
        group by h.track_id, o.track_id
       having sum(case when o.counted_at is not null then 1 else -1 end) > 1
     ), others as (
       select other_id, (select count(*) from plays where track_id = other_id and counted_at is not null)::int as plays
         from (select distinct other_id from pairs) named
     )
     select pairs.track_id, pairs.other_id, pairs.together, others.plays as other_plays,
            (select count(*) from heard where heard.track_id = pairs.track_id)::int as plays
       from pairs join others using (other_id)`,
    [trackIds, latestPlays, sessionMinutes],
  )
  const found = new Map<string, Map<string, { similarity: number; confidence: number }>>()
  for (const { track_id, other_id, together, plays, other_plays } of rows) {
    const ofTrack = found.get(track_id) ?? new Map()
    found.set(track_id, ofTrack)
    ofTrack.set(other_id, {
      similarity: Math.min(1, together / Math.sqrt(Math.max(1, plays * other_plays))),
      confidence: together / (together + halfConfidence),
    })
  }
  return found
}
