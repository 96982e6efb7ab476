// The wish that a process ends, as signals tell it. There is one end for all of them: where a group of processes is
// signalled, one hears of it twice or three times, and what began to end in order is not cut short by that. It is heard
// from the first moment on, and steps that take long look for it, so that no database is left without its server.

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Why something was broken off that nothing is wrong with. */
export class StopRequest extends Error {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}`)
    this.signal = signal
  }
}

/** Aborted with a StopRequest at the first signal. From now on no signal ends the process by itself. */
export function listenForStopSignals(): AbortSignal {
  const wish = new AbortController()
  for (const signal of signals) process.on(signal, () => wish.abort(new StopRequest(signal)))
  return wish.signal
}
