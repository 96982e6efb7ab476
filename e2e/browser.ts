// Real Chromium, and what a person in front of it would see and hear.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { chromium, type Browser, type Page } from 'playwright-core'

const require = createRequire(import.meta.url)

/** @param options.audible the sound is not thrown away, and a page may record its own tab */
export function launchBrowser(options: { audible?: boolean } = {}): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (!executablePath) throw new Error('CHROMIUM_PATH is not set. Run these tests with "npm test".')
  return chromium.launch({
    executablePath,
    ...(options.audible && { ignoreDefaultArgs: ['--mute-audio'] }),
    args: [
      ...(options.audible ? ['--auto-accept-this-tab-capture'] : []),
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

/** A new person's window. What the console calls an error is one. */
export async function openPage(
  browser: Browser,
  options: { width?: number; height?: number; colorScheme?: 'dark' | 'light' } = {},
): Promise<{ page: Page; problems: string[] }> {
  const { width = 1440, height = 900, colorScheme = 'dark' } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    hasTouch: width < 768,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // Chromium writes every refused request there; refusals are part of the journeys.
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) problems.push(message.text())
  })
  return { page, problems }
}

export interface Sound {
  source: string
  seconds: number
  durationSeconds: number
  isPlaying: boolean
  decodedBytes: number
}

/** The media element that is heard, or was heard last. */
export async function listen(page: Page): Promise<Sound | null> {
  const sounds: Sound[] = await page.evaluate(() =>
    [...document.querySelectorAll('audio')].map((audio) => ({
      source: audio.currentSrc,
      seconds: audio.currentTime,
      durationSeconds: audio.duration,
      isPlaying: !audio.paused,
      decodedBytes:
        (audio as HTMLAudioElement & { webkitAudioDecodedByteCount?: number })
          .webkitAudioDecodedByteCount ?? 0,
    })),
  )
  const loaded = sounds.filter(({ source }) => source !== '')
  return loaded.find(({ isPlaying }) => isPlaying) ?? loaded[0] ?? null
}

/** Shows the page in one theme. It hears of it by an event, a moment after the style sheets do. */
export async function showIn(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await settle(page)
}

/**
 * Waits to the end of what changes, three times over, since what ends may start something else; not
 * until nothing moves, since the line of a playing track always does. Transitions alone: an animation
 * may be endless, or go with the scrolling.
 */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      const passing = document.getAnimations().filter((one) => one instanceof CSSTransition)
      await Promise.allSettled(passing.map(({ finished }) => finished))
    }
  })
}

/** What axe-core finds on the settled page: rule and element, one per line. Without `rules`: all of them. */
export async function findBarriers(page: Page, rules?: string[]): Promise<string[]> {
  await settle(page)
  // Evaluated, not added as a script: the page's own policy allows no stranger's scripts.
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'))
  }
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as {
      axe: {
        run: (options: {
          resultTypes: string[]
          runOnly?: string[]
        }) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
      }
    }
    const { violations } = await axe.run({
      // The elements that pass are not collected, which takes most of the time on a long list.
      resultTypes: ['violations'],
      ...(only && { runOnly: only }),
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }, rules)
}
