// Waits until a screen is complete: its code, data and fonts, and the pictures in view.
import type { Page } from 'playwright-core'

const quietMs = 300
/** Long, because several windows render at the same time without a GPU. */
const timeoutMs = 60_000

export async function settleScreen(page: Page): Promise<void> {
  try {
    await page.locator('h1').first().waitFor({ state: 'attached', timeout: timeoutMs })
  } catch (error) {
    throw new Error(`The screen has no heading. ${await describeScreen(page)}`, { cause: error })
  }
  await page.waitForFunction(
    () =>
      !document.querySelector('main [aria-busy=true], main [class*=skeleton]') &&
      [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
    undefined,
    { timeout: timeoutMs },
  )
  const restless = await page.evaluate(waitForQuiet, { quietMs, timeoutMs })
  if (restless) throw new Error(`The screen keeps changing: ${restless}`)
}

/**
 * Runs in the page. Resolves when the page hasn't changed for `quietMs`. If it doesn't stop changing, resolves with the
 * element that changes.
 */
async function waitForQuiet(limits: {
  quietMs: number
  timeoutMs: number
}): Promise<string | undefined> {
  await document.fonts.ready
  return new Promise((resolve) => {
    let changed: Element | null = null
    let quiet = setTimeout(finish, limits.quietMs)
    const giveUp = setTimeout(() => finish(changed?.outerHTML.slice(0, 500)), limits.timeoutMs)
    const observer = new MutationObserver(([mutation]) => {
      changed = mutation?.target as Element
      clearTimeout(quiet)
      quiet = setTimeout(finish, limits.quietMs)
    })
    observer.observe(document.querySelector('main') ?? document.body, {
      childList: true,
      subtree: true,
    })
    function finish(restless?: string) {
      clearTimeout(quiet)
      clearTimeout(giveUp)
      observer.disconnect()
      resolve(restless)
    }
  })
}

/** Describes for an error message what the page shows, and which files took longest to load. */
async function describeScreen(page: Page): Promise<string> {
  const shown = await page.evaluate(() => ({
    address: location.href,
    state: document.readyState,
    content: document.querySelector('main')?.outerHTML ?? document.body.innerHTML,
    slowest: performance
      .getEntriesByType('resource')
      .toSorted((one, two) => two.duration - one.duration)
      .slice(0, 8)
      .map(({ name, startTime, duration }) => `${name} at ${startTime} took ${duration} ms`),
  }))
  return JSON.stringify({ ...shown, content: shown.content.slice(0, 2000) })
}
