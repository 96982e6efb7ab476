// What a playlist is to hold, as a request says it: the whole list, or changes of the list that is there.
import { applyTrackChanges, type TrackChange } from '#contract/track-changes.ts'
import { AppError } from '../http/app-error.ts'

export interface WantedTracks {
  track_ids?: string[] | undefined
  track_changes?: TrackChange[] | undefined
}

/**
 * `hidden` are stored tracks that the caller does not see: they stay where they are, unnamed. Undefined: nothing is
 * asked for. Throws `track_already_in_playlist` for a list that names a track twice.
 */
export function wantedTracks(
  stored: readonly string[],
  { track_ids, track_changes }: WantedTracks,
  hidden: ReadonlySet<string> = new Set(),
): string[] | undefined {
  if (!track_ids && !track_changes) return undefined
  if (track_ids && new Set(track_ids).size < track_ids.length) {
    throw new AppError('track_already_in_playlist')
  }
  const changes = (track_changes ?? []).map(inLowerCase)
  const seen = stored.filter((id) => !hidden.has(id))
  return applyTrackChanges(
    track_ids?.map((id) => id.toLowerCase()) ?? seen,
    changes.filter(({ track_id }) => !hidden.has(track_id)),
  )
}

/** As PostgreSQL writes ids. */
function inLowerCase(change: TrackChange): TrackChange {
  const track_id = change.track_id.toLowerCase()
  if (change.action === 'remove' || !change.after) return { ...change, track_id }
  return { ...change, track_id, after: change.after.toLowerCase() }
}
