// Computes the requested tracks of a playlist from a complete list or from changes to the current one.
import { applyTrackChanges, type TrackChange } from '#contract/fields/track-changes.ts'
import { AppError } from '../../platform/operations/app-error.ts'

export interface RequestedTracks {
  track_ids?: string[] | undefined
  track_changes?: TrackChange[] | undefined
}

/**
 * `hidden` are stored tracks that the caller cannot see. They need not be listed and keep their position. Returns
 * undefined if no tracks are requested. Throws `track_already_in_playlist` for a list with a duplicate track.
 */
export function resolveRequestedTracks(
  stored: readonly string[],
  { track_ids, track_changes }: RequestedTracks,
  hidden: ReadonlySet<string> = new Set(),
): string[] | undefined {
  if (!track_ids && !track_changes) return undefined
  if (track_ids && new Set(track_ids).size < track_ids.length) {
    throw new AppError('track_already_in_playlist')
  }
  const changes = (track_changes ?? []).map(toLowerCase)
  const seen = stored.filter((id) => !hidden.has(id))
  return applyTrackChanges(
    track_ids?.map((id) => id.toLowerCase()) ?? seen,
    changes.filter(({ track_id }) => !hidden.has(track_id)),
  )
}

/** Converts the ids to lower case, as PostgreSQL returns them. */
function toLowerCase(change: TrackChange): TrackChange {
  const track_id = change.track_id.toLowerCase()
  if (change.action === 'remove' || !change.after) return { ...change, track_id }
  return { ...change, track_id, after: change.after.toLowerCase() }
}
