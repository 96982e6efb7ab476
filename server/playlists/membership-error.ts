// What the database's refusal of a new entry in a playlist means.
import { constraintOf } from '../db/database-error.ts'
import { AppError } from '../http/app-error.ts'

/** The answer for an expected refusal; every other error as it was. */
export function membershipError(error: unknown): unknown {
  const constraint = constraintOf(error)
  if (constraint === 'playlist_tracks_once') return new AppError('track_already_in_playlist')
  // Deleted between the look and the insert.
  if (constraint === 'playlist_tracks_track_id_fkey') return new AppError('track_not_found')
  return error
}
