// A person's window on one device, in which one screen after the other is opened while a song plays.
import type { CDPSession, Page } from 'playwright-core'
import { listen } from '../browser.ts'
import { waitUntil } from '../service.ts'
import type { LivedInWorld } from './lived-in-world.ts'

const clickTimeoutMs = 10_000

/** Each is also looked at in its narrow width: a small phone, a tablet. */
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
  /** Errors of the console since they were last taken. */
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
    // Only a mobile viewport is widened by what does not fit.
    isMobile: isPhone,
    hasTouch: isPhone,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  let problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // The page of an unknown address answers 404, and Chromium calls that an error.
    const isPage = message.location().url === page.url()
    if (message.type() === 'error' && !isPage) problems.push(message.text())
  })
  // A screen with unsaved work asks before it is left; the next visit leaves it.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.addInitScript(recordShifts)
  const session = await context.newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  if (who) {
    const data = { email: who.email, password: who.password }
    const headers = { origin: world.url }
    const answer = await page.request.post('/api/auth/sign-in/email', { data, headers })
    if (!answer.ok()) throw new Error(`Sign-in answered ${answer.status()}`)
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

/** Presses Play on the bar, which is there after a load, with the song that played before. Returns what kept it from that. */
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
  return waitUntil(async () => (await listen(page))?.isPlaying === true, 15_000, 'the sound')
}

export interface Shift {
  value: number
  moved: string[]
}

declare global {
  interface Window {
    layoutShifts: Shift[]
    /** Shifts until then are not recorded, however late the browser reports them. */
    shiftsForgottenAt: number
  }
}

/** As long as the browser itself allows shifts after an input. */
const inputShiftMs = 500

/** On a busy machine the page makes room some frames after a panel is visible. */
export async function forgetShifts(page: Page): Promise<void> {
  await page.waitForTimeout(inputShiftMs)
  await page.evaluate(() => {
    window.shiftsForgottenAt = performance.now()
    window.layoutShifts = []
  })
}

/** Runs in the page, before its scripts. */
export function recordShifts(): void {
  window.layoutShifts = []
  window.shiftsForgottenAt = -1
  const name = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement
    return `${element?.tagName.toLowerCase()}.${element?.className}`
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const shift = entry as PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      }
      if (shift.hadRecentInput || shift.startTime <= window.shiftsForgottenAt) continue
      const moved = shift.sources.map(({ node }) => name(node))
      window.layoutShifts.push({ value: shift.value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
