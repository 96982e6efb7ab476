// A browser window for one visitor and one device. Screens are opened in it one after another while a song plays.
import type { CDPSession, Page } from 'playwright-core'
import { readPlayingSound } from '../harness/browser.ts'
import { waitUntil } from '../harness/service.ts'
import type { LivedInWorld } from './lived-in-world.ts'

const clickTimeoutMs = 10_000

/** Each screen is also checked at `narrowWidth`, the width of a small phone or of a tablet. */
export const deviceSizes = {
  phone: { width: 390, narrowWidth: 320, height: 844 },
  computer: { width: 1440, narrowWidth: 768, height: 900 },
}

export type Device = keyof typeof deviceSizes
export const devices = Object.keys(deviceSizes) as Device[]

export interface ScreenWindow {
  page: Page
  device: Device
  session: CDPSession
  /** Returns the console errors since the last call. */
  takeProblems: () => string[]
}

export async function openScreenWindow(
  world: Pick<LivedInWorld, 'browser' | 'url' | 'audiblePlaylistId'>,
  device: Device,
  who: { email: string; password: string } | null,
): Promise<ScreenWindow> {
  const { width, height } = deviceSizes[device]
  const isPhone = device === 'phone'
  const context = await world.browser.newContext({
    baseURL: world.url,
    viewport: { width, height },
    // Only a mobile viewport grows when its content doesn't fit.
    isMobile: isPhone,
    hasTouch: isPhone,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  let problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  // Chromium logs the 404 of a page as an error, sometimes only after the next page was opened. Collect the pages, to
  // ignore it.
  const pages = new Set<string>()
  page.on('request', (request) => {
    if (request.isNavigationRequest()) pages.add(request.url())
  })
  page.on('console', (message) => {
    const { url } = message.location()
    if (message.type() === 'error' && !pages.has(url)) problems.push(`${message.text()} ${url}`)
  })
  // A screen with unsaved changes asks before it closes. Accept, so that the next screen can be opened.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.addInitScript(recordShifts)
  const session = await context.newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  if (who) {
    const data = { email: who.email, password: who.password }
    const headers = { origin: world.url }
    const response = await page.request.post('/api/auth/sign-in/email', { data, headers })
    if (!response.ok()) throw new Error(`Sign-in returned ${response.status()}`)
    await page.goto(`/my-playlists/${world.audiblePlaylistId}`)
    await page.getByRole('button', { name: 'Play All' }).click()
    await untilPlaying(page)
  }
  return {
    page,
    device,
    session,
    takeProblems() {
      const taken = problems
      problems = []
      return taken
    },
  }
}

export const playerBar = (page: Page) => page.getByRole('region', { name: 'Player', exact: true })

export async function resize({ page, device }: ScreenWindow, width: number): Promise<void> {
  await page.setViewportSize({ width, height: deviceSizes[device].height })
}

/** Presses Play in the player bar, which keeps its song across page loads. Returns an error if nothing plays then. */
export async function playOn(page: Page): Promise<string[]> {
  try {
    const play = playerBar(page).getByRole('button', { name: 'Play', exact: true })
    await play.click({ timeout: clickTimeoutMs })
    await untilPlaying(page)
    return []
  } catch (error) {
    return [`the player does not play: ${String(error).slice(0, 300)}`]
  }
}

function untilPlaying(page: Page): Promise<void> {
  return waitUntil(
    async () => (await readPlayingSound(page))?.isPlaying === true,
    15_000,
    'the sound',
  )
}

export interface Shift {
  value: number
  moved: string[]
}

declare global {
  interface Window {
    layoutShifts: Shift[]
    /** Layout shifts before this time are ignored, because the browser may report them late. */
    shiftsForgottenAt: number
  }
}

/** For this time after an input, the browser counts shifts as expected. */
const inputShiftMs = 500

/**
 * Forgets all layout shifts so far. Waits first: on a busy machine, the page moves aside for a panel only some frames
 * after the panel has become visible.
 */
export async function resetLayoutShifts(page: Page): Promise<void> {
  await page.waitForTimeout(inputShiftMs)
  await page.evaluate(() => {
    window.shiftsForgottenAt = performance.now()
    window.layoutShifts = []
  })
}

/** Records layout shifts. Runs in the page before its own scripts. */
export function recordShifts(): void {
  window.layoutShifts = []
  window.shiftsForgottenAt = -1
  const name = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement
    return `${element?.tagName.toLowerCase()}.${element?.className}`
  }
  const place = ({ x, y, width, height }: DOMRect) =>
    `${Math.round(width)}×${Math.round(height)} at ${Math.round(x)},${Math.round(y)}`
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const shift = entry as PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
      }
      if (shift.hadRecentInput || shift.startTime <= window.shiftsForgottenAt) continue
      const moved = shift.sources.map(
        ({ node, previousRect, currentRect }) =>
          `${name(node)} from ${place(previousRect)} to ${place(currentRect)}`,
      )
      window.layoutShifts.push({ value: shift.value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
