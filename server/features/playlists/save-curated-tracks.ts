// Saves the tracks and order of a curated playlist. Admins see unpublished tracks. Deleted tracks are hidden from
// admins, but keep their position until they are restored.
import { sql } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { CuratedPlaylist } from './curated-playlist.ts'
import { isNotDeleted } from '../tracks/track-query.ts'
import { planTrackChanges } from './plan-track-changes.ts'
import { applyPlannedChanges } from './save-tracks.ts'
import { resolveRequestedTracks, type RequestedTracks } from './requested-tracks.ts'

/** Saves the tracks. Throws `track_already_in_playlist` or `track_not_found`. */
export async function saveCuratedTracks(
  trx: Transaction,
  claimed: CuratedPlaylist,
  wanted: RequestedTracks,
): Promise<void> {
  if (!wanted.track_ids && !wanted.track_changes) return
  const entries = await trx.query
    .selectFrom('playlist_tracks as e')
    .select(['e.id', 'e.track_id', 'e.order_index', isNotDeleted('e.track_id').as('is_published')])
    .where('e.playlist_id', '=', claimed.id)
    .orderBy('e.order_index')
    .execute()
  const trackIds = resolveRequestedTracks(
    entries.map(({ track_id }) => track_id),
    wanted,
    new Set(entries.flatMap((entry) => (entry.is_published ? [] : [entry.track_id]))),
  )
  if (!trackIds) return
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from tracks
     where id = any(${trackIds}::uuid[]) and deleted_at is null`.execute(trx.query)
  if (rows[0]?.found !== trackIds.length) throw new AppError('track_not_found')
  await applyPlannedChanges(trx, claimed, planTrackChanges(entries, trackIds))
}
