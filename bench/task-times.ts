// How long a page is busy in one piece while something is done with it, from Chromium's own trace. Counted is the time
// of the processor: what other processes take of the machine meanwhile is not in it.
import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds of the processor. */
  tdur?: number
  args?: { name?: string }
}

const categories = ['disabled-by-default-devtools.timeline', '__metadata']

/** The longest task of the page's main thread while `run` runs, in milliseconds. */
export async function longestTask(
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
      .map(threadOf),
  )
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && main.has(threadOf(event)))
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000))
}

const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
