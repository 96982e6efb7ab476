// Prefetches a track that will probably be played soon, such as the one under the pointer. Separate from the engine, so
// that lists can use it without loading the engine.
import type { PlayerTrack } from '../queue/player-track.ts'

/** Delay before fetching: a pointer that only crosses a list fetches nothing. */
const delayMs = 50

let warmUp: ((track: PlayerTrack) => void) | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Makes the engine fetch the start of a track once the pointer rests on it. */
export function warmUpTrack(track: PlayerTrack): void {
  clearTimeout(timer)
  timer = setTimeout(() => warmUp?.(track), delayMs)
}

/** Registers the engine's prefetch function. Pass null to unregister it. */
export function offerWarmUp(fetchStart: ((track: PlayerTrack) => void) | null): void {
  warmUp = fetchStart
}
