// Starts Chromium, and checks what a user would see and hear in it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { chromium, type Browser, type Page } from 'playwright-core'

const require = createRequire(import.meta.url)

/** @param options.audible plays sound instead of muting it, and lets a page record the sound of its tab */
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

/** Opens a page in a new browser context. `problems` collects uncaught errors and console errors. */
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
    // Ignore the error that Chromium logs for every failed request, because some tests expect such requests.
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

/** Returns the audio element that plays, otherwise the first one with a source. */
export async function readPlayingSound(page: Page): Promise<Sound | null> {
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

/** Sets the color scheme of the page, and waits until its script has followed. */
export async function showIn(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await settle(page)
}

/**
 * Waits until transitions have ended, three times, because the end of one may start another. Animations are not
 * awaited: they may be endless or depend on scrolling, and the progress of a playing track always moves. Polls, because
 * the `finished` promise of a transition in a closed `<details>` never resolves.
 */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      const passing = document.getAnimations().filter((one) => one instanceof CSSTransition)
      while (passing.some(({ playState }) => playState === 'running')) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    }
  })
}

/** Returns the violations that axe-core finds, as `rule: element`. Runs all rules unless `rules` is set. */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  await settle(page)
  // Inject axe-core with evaluate, because the content security policy blocks a script element.
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
      // Don't collect elements that pass. In a long list that would take most of the time.
      resultTypes: ['violations'],
      ...(only && { runOnly: only }),
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }, rules)
}
