// Finds what is wrong on the current screen, and describes each fault in one line.
import type { Page } from 'playwright-core'
import { findViolations, showIn } from '../harness/browser.ts'
import { findSmallTargets } from './find-small-targets.ts'
import { findWrongFaces } from './find-wrong-faces.ts'
import { deviceSizes, playerBar, resize, type ScreenWindow } from './screen-window.ts'
import { settleScreen } from './settle-screen.ts'

const maxShift = 0.05

/** Finds all faults except layout shifts (see `findShifts`). Afterwards the window has the width of its device. */
export async function findFaults(
  window: ScreenWindow,
  { hasPlayer }: { hasPlayer: boolean },
): Promise<string[]> {
  const { page, device, session } = window
  const { width, narrowWidth } = deviceSizes[device]
  const [theme, other] = await listThemes(page)
  const faults: string[] = []
  const look = async (px: number, shown: string) => {
    const add = (kind: string, found: string[]) => {
      faults.push(...found.map((text) => `${px} px, ${shown}: ${kind}: ${text}`))
    }
    add('sideways scroll', await findOverflow(page, px))
    if (hasPlayer) add('player', await findMisplacedPlayer(page))
    add('heading', await findWrongFaces(session))
    if (device === 'phone') add('small target', await findSmallTargets(page))
    add('barrier', await findViolations(page))
  }
  await look(width, theme)
  await showIn(page, other)
  const lowContrast = await findViolations(page, ['color-contrast'])
  faults.push(...lowContrast.map((text) => `${width} px, ${other}: barrier: ${text}`))
  await resize(window, narrowWidth)
  await settleScreen(page)
  await look(narrowWidth, other)
  await resize(window, width)
  faults.push(...window.takeProblems().map((text) => `${width} px: console: ${text}`))
  return faults
}

/** Returns the current theme of the page, then the other one. */
async function listThemes(page: Page): Promise<['dark' | 'light', 'dark' | 'light']> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  return isDark ? ['dark', 'light'] : ['light', 'dark']
}

/** Returns layout shifts without user input since the page was loaded, or since the last `resetLayoutShifts`. */
export async function findShifts({ page, device }: ScreenWindow): Promise<string[]> {
  const shifts = await page.evaluate(() => window.layoutShifts)
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  if (sum <= maxShift) return []
  const worst = shifts.toSorted((one, two) => two.value - one.value).slice(0, 3)
  const moved = worst.map((shift) => `${shift.value.toFixed(3)} ${shift.moved.join(' ')}`)
  return [`${deviceSizes[device].width} px: layout shift: ${sum.toFixed(3)}: ${moved.join(' | ')}`]
}

/** Finds elements beyond the right edge of the page, and dialogs that are narrower than their content. */
function findOverflow(page: Page, width: number): Promise<string[]> {
  return page.evaluate((expected) => {
    const wide = [...document.querySelectorAll('dialog[open] *')].find(
      (element) =>
        getComputedStyle(element).overflowY === 'auto' &&
        element.scrollWidth > element.clientWidth + 1,
    )
    if (wide) return [`the dialog is ${wide.scrollWidth - wide.clientWidth} px too narrow`]
    const { scrollWidth } = document.documentElement
    if (scrollWidth <= expected && innerWidth <= expected) return []
    const culprits = [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { right, width: own } = element.getBoundingClientRect()
        return own > 0 && right + scrollX > expected + 1
      })
      .slice(-3)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class')}`)
    return [`the page is ${scrollWidth} px wide: ${culprits.join(', ')}`]
  }, width)
}

async function findMisplacedPlayer(page: Page): Promise<string[]> {
  const bar = playerBar(page)
  if ((await bar.count()) !== 1) return ['there is no player bar']
  return bar.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const { clientWidth } = document.documentElement
    const isInside =
      left >= -0.5 && top >= 0 && right <= clientWidth + 0.5 && bottom <= window.innerHeight + 0.5
    const isPlaying = [...document.querySelectorAll('audio')].some((audio) => !audio.paused)
    return [
      ...(isInside ? [] : [`the bar is at ${left},${top} to ${right},${bottom}`]),
      ...(isPlaying ? [] : ['nothing plays']),
    ]
  })
}
