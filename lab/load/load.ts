// The load: several writers at the same time, each of which does one thing after another. They go on while the service
// is down.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Writer } from './writer.ts'

export interface Load {
  /** Resolves when every writer has finished its current action. Has no effect if the load is paused already. */
  pause: () => Promise<void>
  resume: () => void
  /** Number of acknowledged writes, by writer name. */
  acknowledged: () => Record<string, number>
}

export function startLoad(writers: readonly Writer[]): Load {
  let running: AbortController | null = null
  let loops: Promise<void>[] = []

  async function run(writer: Writer, { signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await writer.act()
      await sleep(writer.everyMs, undefined, { signal }).catch(() => {})
    }
  }

  const resume = () => {
    // Two runs of the same writer would not know which state to expect.
    if (running) throw new Error('The load is at work already')
    const started = new AbortController()
    running = started
    loops = writers.map((writer) => run(writer, started))
  }
  resume()
  return {
    resume,
    async pause() {
      running?.abort()
      await Promise.all(loops)
      running = null
    },
    acknowledged() {
      const counts: Record<string, number> = {}
      for (const { name, acknowledged } of writers) {
        counts[name] = (counts[name] ?? 0) + acknowledged()
      }
      return counts
    },
  }
}
