// Counts and positions in a playlist as members see it, without unpublished tracks. Triggers maintain the count.
// Positions are computed by subtracting the unpublished tracks, of which there are few.
import { sql, type RawBuilder } from 'kysely'
import type { Handle } from '../../platform/db/database.ts'

/** The unpublished tracks of a playlist, each with the number of published tracks before it. */
function hiddenTracks(playlistId: RawBuilder<string>) {
  return sql<{ visible_before: number }>`(
    select e.order_index - row_number() over (order by e.order_index) + 1 as visible_before
      from playlist_tracks e join tracks t on t.id = e.track_id
     where e.playlist_id = ${playlistId} and not t.is_published)`
}

/** The number of tracks in a playlist that members see. */
export function visibleTrackCount(playlistId: RawBuilder<string>) {
  return sql<number>`(select track_count from playlist_summaries where playlist_id = ${playlistId})`
}

/** The stored position of a track that members see. `offset` is its index among those tracks, starting at 0. */
export function positionOfVisibleTrack(playlistId: RawBuilder<string>, offset: number) {
  return sql<number>`(${offset}::int + (
    select count(*) from ${hiddenTracks(playlistId)} hidden where hidden.visible_before <= ${offset}::int))`
}

export async function countVisibleTracks(handle: Handle, playlistId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ${visibleTrackCount(sql`${playlistId}::uuid`)} as count`.execute(handle.query)
  return rows[0]?.count ?? 0
}
