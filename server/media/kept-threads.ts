// Threads with a small heap of their own, for bytes that would burden or endanger the server's.
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { keepForNext, type Helpers } from './keep-for-next.ts'

/** They get no environment. */
export function keptThreads(module: URL, resourceLimits: ResourceLimits): Helpers<Worker> {
  return keepForNext({
    start: () => new Worker(module, { env: {}, resourceLimits }),
    end: (worker) => worker.terminate(),
    hold: (worker, isHeld) => (isHeld ? worker.ref() : worker.unref()),
  })
}
