// Tests billing in the back office: manual subscriptions, Stripe subscriptions, and the webhook test.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceEvent, subscriptionEvent } from '../server/testing/stripe/stripe-payloads.ts'
import { findViolations, launchBrowser } from './harness/browser.ts'
import {
  measureSidewaysScroll,
  startBillingService,
  type BillingService,
} from './billing-service.ts'

let money: BillingService
let browser: Browser
let byHand: string
let byCard: string

beforeAll(async () => {
  money = await startBillingService()
  byHand = await money.addPerson('by-hand@velour.test')
  byCard = await money.addPerson('by-card@velour.test')
  const ids = { subscription: 'sub_1', customer: 'cus_1', userId: byCard }
  const created = Math.floor(Date.now() / 1000) - 60
  await money.deliver(subscriptionEvent('created', { ...ids, created }))
  await money.deliver(invoiceEvent('invoice.paid', { ...ids, created, invoice: 'in_1' }))
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser.close()
  await money.close()
})

const expectMessage = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true }).waitFor()

const rowOf = (page: Page, email: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: email }) })

test('creates a manual subscription, adds a payment and a note, and changes it', async () => {
  const { page, problems } = await money.openAdmin(browser, '/admin/billing', 1440)
  await page.getByRole('button', { name: 'Add Manual Subscription' }).click()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByLabel('Tier').inputValue()).toBe('premium')
  await expect.poll(() => dialog.getByLabel('Status').inputValue()).toBe('active')
  await expect.poll(() => dialog.getByLabel('Payment Method').inputValue()).toBe('cash')
  await dialog.getByRole('button', { name: 'Create Subscription' }).click()
  await dialog.getByText('User ID is required').first().waitFor()
  // Find the user by a part of the email address. Pasting the user ID works, too.
  await dialog.getByLabel('User ID').fill('by-ha')
  await page.getByRole('option', { name: 'by-hand@velour.test' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog.getByLabel('User ID').inputValue()).toBe(byHand)
  await dialog.getByLabel('User ID').fill('')
  await dialog.getByLabel('User ID').fill(byHand)
  await dialog.getByText('by-hand@velour.test', { exact: true }).waitFor()
  await dialog.getByLabel('Tier').selectOption('yearly')
  await expect.poll(() => dialog.getByLabel('Amount received').inputValue()).toBe('99.99')
  await dialog.getByRole('button', { name: 'Create Subscription' }).click()
  await expectMessage(page, 'Manual subscription created successfully')

  const row = rowOf(page, 'by-hand@velour.test')
  await row.getByText('Manual', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Payment method of by-hand@velour.test: Cash' }).click()
  await page.getByRole('menuitemradio', { name: 'Zelle' }).click()
  await expectMessage(page, 'Payment method updated')
  await row.getByText('Click to add note').click()
  await row.getByRole('textbox').fill('Pays at the door')
  await row.getByRole('button', { name: 'Save' }).click()
  await expectMessage(page, 'Note updated')
  await row.getByRole('button', { name: 'Note on by-hand@velour.test: Pays at the door' }).waitFor()
  await row.getByRole('button', { name: 'Edit subscription of by-hand@velour.test' }).click()
  expect(await dialog.getByLabel('User ID').count()).toBe(0)
  await expect.poll(() => dialog.getByLabel('Notes').inputValue()).toBe('Pays at the door')
  await dialog.getByLabel('End Date').fill('2999-12-31')
  await dialog.getByRole('button', { name: 'Update Subscription' }).click()
  await expectMessage(page, 'Subscription updated successfully')
  const renewal = row.getByText(/2999/)
  await renewal.waitFor()
  // A subscription without an end date never expires.
  await row.getByRole('button', { name: 'Edit subscription of by-hand@velour.test' }).click()
  await dialog.getByLabel('End Date').fill('2020-12-31')
  await dialog.getByRole('button', { name: 'Update Subscription' }).click()
  await dialog.getByText('The end date has passed.').first().waitFor()
  await dialog.getByLabel('End Date').fill('')
  await dialog.getByRole('button', { name: 'Update Subscription' }).click()
  await renewal.waitFor({ state: 'detached' })

  await row.getByRole('button', { name: 'Payments of by-hand@velour.test' }).click()
  await dialog.getByText('$99.99').waitFor()
  await dialog.getByLabel('Kind').selectOption('refund')
  await dialog.getByLabel('Amount (USD)').fill('500')
  await dialog.getByRole('button', { name: 'Add Entry' }).click()
  await dialog
    .getByText('Failed to add the entry. This is more than the person has paid.', { exact: true })
    .waitFor()
  await dialog.getByLabel('Amount (USD)').fill('9.99')
  await dialog.getByRole('button', { name: 'Add Entry' }).click()
  await dialog.getByText('-$9.99').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(problems).toEqual([])
  await page.context().close()
})

test('shows a badge and a portal link for a Stripe subscription, and sends changes to Stripe', async () => {
  const { page, problems } = await money.openAdmin(browser, '/admin/billing', 390)
  const row = rowOf(page, 'by-card@velour.test')
  await row.getByText('Stripe', { exact: true }).waitFor()
  expect(await measureSidewaysScroll(page)).toBe(0)
  expect(await findViolations(page)).toEqual([])
  // Block requests to Stripe's real customer portal.
  await page.context().route('https://billing.stripe.com/**', (route) => route.abort())
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    row.getByRole('button', { name: 'Open the customer portal of by-card@velour.test' }).click(),
  ])
  await expect
    .poll(() => money.stripe.calls.some(({ path }) => path.startsWith('/v1/billing_portal')))
    .toBe(true)
  await tab.close()
  expect(
    await rowOf(page, 'by-hand@velour.test')
      .getByRole('button', { name: /portal/ })
      .count(),
  ).toBe(0)

  await row.getByRole('button', { name: 'Actions for by-card@velour.test' }).click()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual([
    'Upgrade to Premium',
    'Downgrade to Free',
    'Activate',
    'Deactivate',
    'Cancel at Period End',
    'Cancel Now',
  ])
  await page.getByRole('menuitem', { name: 'Downgrade to Free' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Downgrade to Free' }).click()
  await expectMessage(page, 'Subscription updated successfully')
  expect(money.stripe.calls.at(-1)).toMatchObject({
    method: 'DELETE',
    path: '/v1/subscriptions/sub_1',
  })
  expect(problems).toEqual([])
  await page.context().close()
})

test('Webhook Test rejects an empty and an invalid event, and accepts an example event', async () => {
  const { page, problems } = await money.openAdmin(browser, '/admin/settings', 1440)
  await page.getByRole('tab', { name: 'Webhook Test' }).click()
  const simulate = page.getByRole('button', { name: 'Simulate Webhook' })
  await simulate.click()
  await expectMessage(page, 'Please enter a webhook payload')
  await expectMessage(page, 'Webhook Test Failed')
  const payload = page.getByLabel('Webhook payload (JSON)')
  for (const nonsense of ['{"half":', '{}']) {
    await payload.fill(nonsense)
    await simulate.click()
    await page.getByText('Invalid payload or processing error').first().waitFor()
  }
  for (const label of ['Purchase', 'Subscription', 'Payment', 'Refund', 'Cancellation']) {
    await page.getByRole('button', { name: label, exact: true }).click()
    await payload.fill((await payload.inputValue()).replace(/0{8}-[0-]+/g, byHand))
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/api/billing-webhook')),
      simulate.click(),
    ])
    expect([label, await answer.json()]).toMatchObject([
      label,
      { outcome: 'applied', is_simulated: true },
    ])
  }
  await expectMessage(page, 'Webhook Test Success')
  await expectMessage(page, 'Webhook processed successfully')
  expect(await findViolations(page)).toEqual([])
  expect(problems).toEqual([])
  await page.context().close()
})
