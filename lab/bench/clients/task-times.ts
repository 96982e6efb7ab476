// Measures the longest task of a page with Chromium's trace. Measures CPU time, which other processes don't affect.
import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** CPU time of the task in microseconds. */
  tdur?: number
  args?: { name?: string }
}

const categories = ['disabled-by-default-devtools.timeline', '__metadata']

/** Returns the CPU time of the longest task in the main thread while `run` runs, in milliseconds. */
export async function measureLongestTask(
  browser: Browser,
  page: Page,
  run: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories })
  await run()
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    traceEvents: TraceEvent[]
  }
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(findThread),
  )
  const tasks = traceEvents.filter(
    (event) => event.name === 'RunTask' && main.has(findThread(event)),
  )
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000))
}

const findThread = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
