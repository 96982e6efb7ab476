// Sets up a service with a small catalogue, and opens back-office windows of its admins.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { publishTrack } from './harness/api-client.ts'
import { findViolations, openPage, showIn } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { admin } from './harness/service.ts'
import { setStage, type Stage } from './harness/stage.ts'

export interface BackOffice extends Stage {
  /** Opens a back-office screen, such as `users`, in a new window of the admin. */
  open: (screen: string, options?: { width?: number }) => Promise<Page>
  /** Console errors of all windows so far. */
  problems: string[]
}

export async function openBackOffice(titles: readonly string[]): Promise<BackOffice> {
  const stage = await setStage()
  const { url, owner, browser } = stage
  for (const name of ['Focus', 'Study']) {
    await owner.send('POST', '/api/admin-categories', { category: name, display_name: name })
  }
  await owner.send('POST', '/api/admin-genres', { name: 'Ambient' })
  for (const [index, title] of titles.entries()) {
    await publishTrack(owner, makeWav(2, 220 + index * 40), { title, genre: 'Ambient' })
  }
  const problems: string[] = []
  return {
    ...stage,
    problems,
    async open(screen, { width = 1440 } = {}) {
      const opened = await openPage(browser, { width, height: width < 768 ? 844 : 900 })
      opened.page.on('pageerror', (error) => problems.push(String(error)))
      opened.page.on('console', (message) => {
        const text = message.text()
        if (message.type() === 'error' && !text.startsWith('Failed to load')) problems.push(text)
      })
      await opened.page.request.post(`${url}/api/auth/sign-in/email`, { data: admin })
      await opened.page.goto(`${url}/admin/${screen}`)
      return opened.page
    },
  }
}

/** Waits for a toast with exactly this text, and dismisses it. */
export async function expectToast(page: Page, title: string, message?: string): Promise<void> {
  const toast = page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('listitem')
    .filter({ has: page.getByText(title, { exact: true }) })
    .first()
  await toast.waitFor()
  if (message !== undefined) {
    await toast.getByText(message, { exact: true }).waitFor()
  }
  await toast.getByRole('button', { name: `Dismiss: ${title}` }).click()
}

/**
 * Checks that the page doesn't scroll horizontally and has no axe violation, at phone width in the light theme and at
 * desktop width in the dark theme.
 */
export async function expectNoFaults(page: Page): Promise<void> {
  const size = page.viewportSize()!
  for (const [width, colorScheme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: size.height })
    await showIn(page, colorScheme)
    const where = `${page.url()} at ${width}, ${colorScheme}`
    expect(await findOverflow(page), where).toEqual([])
    expect(await findViolations(page), where).toEqual([])
  }
  await page.setViewportSize(size)
}

/** Returns what scrolls horizontally: the page, or an element in it. Rows of tabs may. */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('[role="region"], dialog[open] *')]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .filter(
        (element) =>
          ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) ||
          element === document.documentElement,
      )
      .map((element) => element.getAttribute('aria-label') ?? element.className ?? 'page'),
  )
}
