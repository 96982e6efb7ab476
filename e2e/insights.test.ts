// Tests the Insights screen: it shows plays and payments after they are aggregated.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceEvent, subscriptionEvent } from '../server/testing/stripe/stripe-payloads.ts'
import { publishTrack } from './harness/api-client.ts'
import { findViolations, launchBrowser } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import {
  measureSidewaysScroll,
  startBillingService,
  type BillingService,
} from './billing-service.ts'

let money: BillingService
let browser: Browser

beforeAll(async () => {
  money = await startBillingService()
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser.close()
  await money.close()
})

test('shows plays and payments as charts and tables, on desktop and on a phone', async () => {
  const { id } = await publishTrack(money.owner, makeWav(4, 262), { title: 'First Harbour' })
  const play = { play_id: crypto.randomUUID(), track_id: id, duration_seconds: 4 }
  await money.owner.send('POST', '/api/plays', { ...play, heard_seconds: 1, position_seconds: 1 })
  const person = await money.addPerson('payer@velour.test')
  const ids = { subscription: 'sub_1', customer: 'cus_1', userId: person }
  const created = Math.floor(Date.now() / 1000) - 5
  await money.deliver(subscriptionEvent('created', { ...ids, created }))
  await money.deliver(invoiceEvent('invoice.paid', { ...ids, created, invoice: 'in_1' }))
  await money.restart()

  for (const width of [1440, 390]) {
    const { page, problems } = await money.openAdmin(browser, '/admin/insights?range=7', width)
    const revenue = page.locator('dl > div').filter({ hasText: 'Revenue' })
    await expect.poll(() => revenue.first().innerText()).toContain('$9.99')
    await page.getByText('Days are in UTC.').waitFor()
    await page.locator('.uplot').first().waitFor()
    expect(await measureSidewaysScroll(page)).toBe(0)
    expect(await findViolations(page)).toEqual([])

    const toggle = page.getByRole('button', { name: 'Revenue: Table', exact: true })
    await toggle.focus()
    await page.keyboard.press('Enter')
    const table = page.getByRole('table', { name: 'Revenue' })
    await expect.poll(() => table.getByRole('row').count()).toBe(8)
    await page.getByRole('radio', { name: '12 months' }).click()
    await expect.poll(() => page.url()).toContain('range=12m')

    await page.getByRole('button', { name: /First Harbour/ }).click()
    await page.getByRole('dialog').getByText('Where listeners leave').waitFor()
    await page.getByRole('dialog').locator('.uplot').first().waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).not.toContain('track=')
    expect(problems).toEqual([])
    await page.context().close()
  }
})

test('downloads a CSV file on export', async () => {
  const { page } = await money.openAdmin(browser, '/admin/insights', 1440)
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Payments' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^insights-ledger-.*\.csv$/)
  await page.context().close()
})
