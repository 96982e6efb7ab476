// Turns stop signals into one AbortSignal. All signals request the same orderly shutdown: when a process group is
// signaled, a process may get two or three of them, and further ones must not interrupt the shutdown. Signals are
// handled from the very start, and long steps check for them, so that no database is left running without its server.

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** The reason of an abort that is not an error. */
export class StopRequest extends Error {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}`)
    this.signal = signal
  }
}

/** Aborted with a StopRequest at the first signal. After this call signals no longer end the process directly. */
export function listenForStopSignals(): AbortSignal {
  const wish = new AbortController()
  for (const signal of signals) process.on(signal, () => wish.abort(new StopRequest(signal)))
  return wish.signal
}
