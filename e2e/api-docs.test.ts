// Tests the API reference and the guides as a visitor sees them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guideFiles } from '../server/platform/http/openapi/guides.ts'
import { findViolations, launchBrowser, openPage } from './harness/browser.ts'
import { startService, type Service } from './harness/service.ts'

let service: Service
let browser: Browser

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), launchBrowser()])
})
afterAll(async () => {
  await browser.close()
  await service.remove()
})

const titles = guideFiles.map((file) => {
  const text = readFileSync(join(import.meta.dirname, '../docs', file), 'utf8')
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
})

test.each([
  { width: 1440, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const)(
  'shows guides that fit the window and have enough contrast: $width px, $colorScheme',
  async ({ width, colorScheme }) => {
    const { page, problems } = await openPage(browser, { width, colorScheme })
    await page.goto(`${service.url}/api/docs`)
    for (const title of titles) {
      await page.getByRole('link', { name: title, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      expect(await findViolations(page), title).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, title).toBeLessThanOrEqual(0)
    }
    await page.getByRole('link', { name: 'Reference' }).click()
    await page.getByRole('heading', { level: 2, name: 'artists', exact: true }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  },
)

test('copies sample code with the URL of this service with one click', async () => {
  const { page } = await openPage(browser)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${service.url}/api/docs/guides/upload`)
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain(`export VELOUR_URL=${service.url}\n`)
  await page.context().close()
})
