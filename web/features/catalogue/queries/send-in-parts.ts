// Splits a save with many track changes into several requests.
import { maxTrackChanges, type TrackChange } from '#contract/fields/track-changes.ts'

/**
 * Sends a request body in parts of at most `maxTrackChanges` track changes, one after another. All other fields are
 * sent with the first part.
 */
export async function sendInParts<Body extends { track_changes?: TrackChange[] }, Answer>(
  { track_changes = [], ...rest }: Body,
  send: (part: Omit<Body, 'track_changes'> | { track_changes: TrackChange[] }) => Promise<Answer>,
): Promise<Answer> {
  const first = track_changes.slice(0, maxTrackChanges)
  let answer = await send({ ...rest, ...(first.length > 0 && { track_changes: first }) })
  for (let start = maxTrackChanges; start < track_changes.length; start += maxTrackChanges) {
    answer = await send({ track_changes: track_changes.slice(start, start + maxTrackChanges) })
  }
  return answer
}
