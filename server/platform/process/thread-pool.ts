// A pool of threads with a small heap, for data that could fill the server's heap.
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'

/** The threads get no environment variables. */
export function createThreadPool(module: URL, resourceLimits: ResourceLimits): WorkerPool<Worker> {
  return createWorkerPool({
    start: () => new Worker(module, { env: {}, resourceLimits }),
    end: (worker) => worker.terminate(),
    hold: (worker, isHeld) => (isHeld ? worker.ref() : worker.unref()),
  })
}
