// Requests to play of which the tracks, or the last of them, are still on their way. Invariant: a newer
// request makes an older one void, and the end of listening makes all of them void.

/** The newest one that has not begun to play. */
let waiting = new AbortController()
/** The one that plays, while the rest of its list joins the queue. */
let arriving = new AbortController()

/** For a request that has to wait before it can play; what plays goes on. @returns aborted once it is void. */
export function requestPlay(): AbortSignal {
  waiting.abort()
  waiting = new AbortController()
  return waiting.signal
}

/** For the rest of the list that plays. @returns aborted once another list plays, or none. */
export function arrivingSignal(): AbortSignal {
  return arriving.signal
}

/** Another list plays, or nothing does. */
export function voidPlayRequests(): void {
  waiting.abort()
  arriving.abort()
  arriving = new AbortController()
}
