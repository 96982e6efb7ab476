// A pool of threads or processes that take longer to start than to do their work. After its work, a worker stays idle
// for a while and is reused by the next caller. Idle workers don't keep the server's process alive, and one that
// fails is dropped.
import type { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'

const idleMs = 10_000

export interface WorkerPool<Helper> {
  /** Returns an idle worker or a new one, for exclusive use until it is released. */
  acquire: () => Helper
  /**
   * Returns a worker to the pool. Call it only after successful work. After a failure, terminate the worker instead.
   */
  release: (helper: Helper) => void
}

export function createWorkerPool<Helper extends EventEmitter>(kind: {
  start: () => Helper
  end: (helper: Helper) => unknown
  /** Sets whether the worker keeps the server's process alive. */
  hold: (helper: Helper, isHeld: boolean) => void
}): WorkerPool<Helper> {
  const idle = new Map<Helper, { discard: () => void; timer: NodeJS.Timeout }>()

  function takeIdle(): Helper | undefined {
    const [helper, { discard, timer } = {}] = [...idle].at(-1) ?? []
    if (!helper || !discard) return undefined
    idle.delete(helper)
    clearTimeout(timer)
    helper.off('error', discard).off('exit', discard)
    kind.hold(helper, true)
    return helper
  }

  return {
    acquire: () => takeIdle() ?? kind.start(),
    release(helper) {
      if (idle.size >= availableParallelism()) return void kind.end(helper)
      // Also handles errors while the worker ends, which would otherwise crash the server.
      const discard = () => {
        if (idle.delete(helper)) void kind.end(helper)
      }
      helper.on('error', discard).on('exit', discard)
      kind.hold(helper, false)
      idle.set(helper, { discard, timer: setTimeout(discard, idleMs).unref() })
    },
  }
}
