// Fetches a track that will probably be played in a moment, such as the one under the pointer. Apart
// from the engine itself, so that lists can ask without loading it.
import type { PlayerTrack } from './player-track.ts'

/** A pointer that only passes over a list fetches nothing. */
const delayMs = 50

let warmUp: ((track: PlayerTrack) => void) | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Asks the engine to fetch the start of a track, as soon as the pointer rests on it. */
export function warmUpTrack(track: PlayerTrack): void {
  clearTimeout(timer)
  timer = setTimeout(() => warmUp?.(track), delayMs)
}

/** The engine offers itself; null when it ends. */
export function offerWarmUp(fetchStart: ((track: PlayerTrack) => void) | null): void {
  warmUp = fetchStart
}
