// Combines stop signals into one AbortSignal. All of them request the same orderly shutdown. When a process group is
// signaled, a process may get several signals, and later ones must not interrupt the shutdown. Signals are handled
// from the beginning, and long steps check for them, so that the database is never left running without its server.

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** The abort reason for a stop signal, which is not an error. */
export class StopRequest extends Error {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}`)
    this.signal = signal
  }
}

/**
 * Returns a signal that is aborted with a StopRequest at the first stop signal. From then on, signals no longer end
 * the process directly.
 */
export function listenForStopSignals(): AbortSignal {
  const wish = new AbortController()
  for (const signal of signals) process.on(signal, () => wish.abort(new StopRequest(signal)))
  return wish.signal
}
