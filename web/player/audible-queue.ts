// Without a connection only what this device keeps can be heard, and the queue goes from one of those to
// the next.
import { isOnline } from '../app/connection.ts'
import { keptAudioUrlOf } from '../offline/kept-store.ts'
import { afterNext, currentEntry, type PlayQueue } from './play-queue.ts'

/** Whether the current track can be heard now, as far as the connection goes. */
function isAudible(queue: PlayQueue): boolean {
  const track = currentEntry(queue)?.track
  return isOnline() || track === undefined || keptAudioUrlOf(track.id) !== null
}

/**
 * Where the queue goes: one step, and on in the same direction over what cannot be heard. Null: it stops.
 * Where nothing at all can be heard it goes its one step, and the player says what is wrong.
 */
export function stepToAudible(
  queue: PlayQueue,
  step: (queue: PlayQueue) => PlayQueue | null,
): PlayQueue | null {
  const first = step(queue)
  if (!first || isAudible(first)) return first
  // A step that stays, such as to a repeated track, would meet it again and again.
  const further = first.index === queue.index ? afterNext : step
  let next = further(first)
  for (let tries = 1; next && tries < queue.entries.length; tries += 1) {
    if (isAudible(next)) return next
    next = further(next)
  }
  return queue.entries.some((_, index) => isAudible({ ...queue, index })) ? null : first
}
