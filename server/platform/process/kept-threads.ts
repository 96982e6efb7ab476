// Pooled threads with a small heap, for data that would fill or endanger the server's heap.
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
