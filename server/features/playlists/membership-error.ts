// Converts constraint violations to error codes when a track is added to a playlist.
import { getViolatedConstraint } from '../../platform/db/database-error.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/** Returns the error for an expected violation, and any other error unchanged. */
export function toMembershipError(error: unknown): unknown {
  const constraint = getViolatedConstraint(error)
  if (constraint === 'playlist_tracks_once') return new AppError('track_already_in_playlist')
  // The track was deleted between the check and the insert.
  if (constraint === 'playlist_tracks_track_id_fkey') return new AppError('track_not_found')
  return error
}
