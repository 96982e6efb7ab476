// Writers at work, all at once, each one act after the other. They do not stop when the service does.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Writer } from './writer.ts'

export interface Load {
  /** Resolves when the act of every writer that was under way has ended. Pausing twice is fine. */
  pause: () => Promise<void>
  resume: () => void
  /** What was acknowledged, by the writers' names. */
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
    // Every writer writes alone, or it could not know what is to be found.
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
