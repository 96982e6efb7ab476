// While offline only downloaded tracks can play, so the queue skips all others.
import { isOnline } from '../../../base/api/connection.ts'
import { findDownloadedAudioUrl } from '../../../base/offline-store/download-store.ts'
import { afterNext, currentEntry, type PlayQueue } from '../queue/play-queue.ts'

/** True if the current track can play: any track while online, only a downloaded one while offline. */
function isAudible(queue: PlayQueue): boolean {
  const track = currentEntry(queue)?.track
  return isOnline() || track === undefined || findDownloadedAudioUrl(track.id) !== null
}

/**
 * Moves one step in the queue, then continues in the same direction past tracks that can't play. Null means playback
 * stops. If no track in the queue can play, moves only the first step, and the player reports the problem.
 */
export function stepToAudible(
  queue: PlayQueue,
  step: (queue: PlayQueue) => PlayQueue | null,
): PlayQueue | null {
  const first = step(queue)
  if (!first || isAudible(first)) return first
  // A step that stays on the same track (repeat one) would loop forever, so continue with `afterNext`.
  const further = first.index === queue.index ? afterNext : step
  let next = further(first)
  for (let tries = 1; next && tries < queue.entries.length; tries += 1) {
    if (isAudible(next)) return next
    next = further(next)
  }
  return queue.entries.some((_, index) => isAudible({ ...queue, index })) ? null : first
}
