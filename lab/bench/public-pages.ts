// The pages that everyone can open: compressed size of their script, delay from a click to the sound on a slow network,
// and Lighthouse scores.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { pageKinds, type PageKind } from '#contract/public-pages.ts'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import { percentile, summarize } from '../harness/measure.ts'
import { openContext } from './clients/open-browser.ts'
import { openSlowLine } from './clients/slow-line.ts'
import { fullGoals, runLighthouse } from './lighthouse.ts'
import type { Finding } from './report.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { putPublicMusic } from './world/public-music.ts'

const kilobyte = 1000
const maxScriptBytes = 15 * kilobyte
const lineMs = 60
const maxMsToSound = 200
const rounds = 10
/**
 * Time between opening the page and pressing Play, as people read first. What the page still loads then must not delay
 * the sound.
 */
const readingMs = 400

export async function benchPublicPages(world: BenchWorld): Promise<Finding[]> {
  const music = await putPublicMusic(world)
  const browser = await launchBrowser()
  try {
    return [
      await measureScripts(browser, world, music.paths),
      ...(await measureSound(browser, world, music.paths)),
      ...(await runLighthouse(
        world,
        pageKinds.map((kind) => ({ name: kind, path: music.paths[kind], goals: fullGoals })),
      )),
    ]
  } finally {
    await browser.close()
    await music.remove()
  }
}

async function measureScripts(
  browser: Browser,
  world: BenchWorld,
  paths: Record<PageKind, string>,
): Promise<Finding> {
  const sizes: number[] = []
  for (const kind of pageKinds) {
    const context = await openContext(browser, world.url)
    const page = await context.newPage()
    await page.goto(world.url + paths[kind], { waitUntil: 'networkidle' })
    sizes.push(
      await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
          .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
      ),
    )
    await context.close()
  }
  const largest = Math.max(...sizes)
  return {
    name: 'script before a touch, the page with the most',
    goal: `≤ ${maxScriptBytes / kilobyte} kB compressed`,
    value: `${(largest / kilobyte).toFixed(1)} kB`,
    ok: largest > 0 && largest <= maxScriptBytes,
  }
}

type Press = (page: Page) => Promise<void>

const main = '.play-main'
const presses: Record<string, Press> = {
  'pressed with a mouse': (page) => page.locator(main).click(),
  'touched with a finger': (page) => page.locator(main).tap(),
  'pressed with a key': async (page) => {
    await page.locator(main).focus()
    await page.keyboard.press('Enter')
  },
}

async function measureSound(
  browser: Browser,
  world: BenchWorld,
  paths: Record<PageKind, string>,
): Promise<Finding[]> {
  const line = await openSlowLine(world.url, lineMs)
  const findings: Finding[] = []
  try {
    for (const [name, press] of Object.entries(presses)) {
      const times: number[] = []
      for (let round = 0; round < (world.dataSet === 'smoke' ? 1 : rounds); round++) {
        // A new context has an empty cache and no open connections.
        const context = await browser.newContext({ hasTouch: true, serviceWorkers: 'block' })
        times.push(await timePress(context, line.url + paths.track, press))
        await context.close()
      }
      const ms = percentile(times, 0.5)
      findings.push({
        name: `from a click to the sound on a line of ${lineMs} ms, ${name}`,
        ours: summarize(times),
        goal: `≤ ${maxMsToSound} ms`,
        value: `${ms} ms (${Math.min(...times)}–${Math.max(...times)})`,
        ok: ms <= maxMsToSound,
      })
    }
    return findings
  } finally {
    await line.close()
  }
}

type TimedWindow = typeof globalThis & { previewAudio?: HTMLAudioElement; msToSound?: number }

/** Returns the milliseconds from the click until the media clock has moved. */
async function timePress(context: BrowserContext, url: string, press: Press): Promise<number> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const timed = globalThis as TimedWindow
    // Get hold of the audio element, which isn't in the document.
    timed.Audio = new Proxy(Audio, {
      construct: (target, args: [string?]) => (timed.previewAudio = new target(...args)),
    })
    const watch = () => {
      const clickedAt = performance.now()
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => {
        if ((timed.previewAudio?.currentTime ?? 0) > 0) {
          timed.msToSound = Math.round(performance.now() - clickedAt)
        } else setTimeout(() => port2.postMessage(null), 1)
      })
      port1.start()
      port2.postMessage(null)
    }
    document.addEventListener('click', watch, { capture: true, once: true })
  })
  await page.goto(url)
  await sleep(readingMs)
  await press(page)
  await page.waitForFunction(() => (globalThis as TimedWindow).msToSound !== undefined)
  return page.evaluate(() => (globalThis as TimedWindow).msToSound!)
}
