// Play requests whose tracks are still loading, in whole or in part. Invariant: a newer request aborts an older one,
// and the end of playback aborts all.

/** The newest request that has not started to play. */
let waiting = new AbortController()
/** The request that is playing while the rest of its list loads into the queue. */
let arriving = new AbortController()

/**
 * For a request that must load before it can play; the current track keeps playing.
 * @returns aborted once a newer request replaces it
 */
export function requestPlay(): AbortSignal {
  waiting.abort()
  waiting = new AbortController()
  return waiting.signal
}

/**
 * Returns a signal for loading the rest of the playing list.
 * @returns aborted once another list plays, or none
 */
export function arrivingSignal(): AbortSignal {
  return arriving.signal
}

/** Aborts all play requests. Call when another list starts to play, or playback ends. */
export function cancelPlayRequests(): void {
  waiting.abort()
  arriving.abort()
  arriving = new AbortController()
}
