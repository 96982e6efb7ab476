// Starts the thread that draws, and lets it go once it has been idle for a while.
import { Worker } from 'node:worker_threads'
import type { DrawnLanding, LandingOrder } from './draw-landing.ts'

const idleMs = 5_000
const mostMegabytes = 96

export interface LandingThread {
  /** One call at a time. Throws when drawing fails. */
  draw: (orders: LandingOrder[]) => Promise<DrawnLanding[]>
  close: () => Promise<void>
}

/** `renderer`: the built code that draws. */
export function createLandingThread(renderer: string): LandingThread {
  let thread: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  const end = async () => {
    clearTimeout(idle)
    const ending = thread
    thread = null
    await ending?.terminate()
  }
  return {
    close: end,
    async draw(orders) {
      clearTimeout(idle)
      thread ??= new Worker(new URL('./draw-landing.ts', import.meta.url), {
        workerData: { renderer },
        resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
      })
      try {
        return await ask(thread, orders)
      } catch (error) {
        await end()
        throw error
      } finally {
        idle = setTimeout(() => void end(), idleMs)
        idle.unref()
      }
    },
  }
}

function ask(thread: Worker, orders: LandingOrder[]): Promise<DrawnLanding[]> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      thread.removeAllListeners()
      act()
    }
    thread.once('message', (pages: DrawnLanding[]) => settle(() => resolve(pages)))
    thread.once('error', (error) => settle(() => reject(error)))
    thread.once('exit', () => settle(() => reject(new Error('The drawing thread ended'))))
    thread.postMessage(orders)
  })
}
