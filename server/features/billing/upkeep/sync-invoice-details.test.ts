import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStripeApp, type StripeApp } from '../../../testing/stripe/stripe-app.ts'
import { subscriptionEvent } from '../../../testing/stripe/stripe-payloads.ts'
import { syncInvoiceDetails } from './sync-invoice-details.ts'

let app: StripeApp
beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())

const sent = (customer: string) => app.stripe.prices.customers.get(customer)
const setName = (invoice_name: string) =>
  app.services.db.query.updateTable('settings').set({ invoice_name }).where('id', '=', 1).execute()

test("sends the owner's invoice details to customers of running subscriptions once, and again after a change", async () => {
  const { ids } = await app.makeBuyer()
  const created = Math.floor(Date.now() / 1000)
  await app.deliver(subscriptionEvent('created', { ...ids, created }))
  expect(await syncInvoiceDetails(app.services)).toBe(0)
  await setName('Night Desk')
  app.stripe.failWith(503)
  await syncInvoiceDetails(app.services)
  app.stripe.failWith(null)
  expect(sent(ids.customer)).toBeUndefined()
  expect(await syncInvoiceDetails(app.services)).toBe(1)
  expect(sent(ids.customer)).toMatchObject({ 'invoice_settings[footer]': 'Night Desk' })
  expect(await syncInvoiceDetails(app.services)).toBe(0)
  await setName('')
  expect(await syncInvoiceDetails(app.services)).toBe(1)
  expect(sent(ids.customer)).toMatchObject({ 'invoice_settings[footer]': '' })
})

test('a customer that Stripe rejects does not block the others', async () => {
  const created = Math.floor(Date.now() / 1000)
  const buyers = [await app.makeBuyer(), await app.makeBuyer()]
  for (const { ids } of buyers) await app.deliver(subscriptionEvent('created', { ...ids, created }))
  await setName('Late Shop')
  app.stripe.failWith(400)
  expect(await syncInvoiceDetails(app.services)).toBeGreaterThanOrEqual(2)
  app.stripe.failWith(null)
  expect(await syncInvoiceDetails(app.services)).toBe(0)
  await setName('Later Shop')
  expect(await syncInvoiceDetails(app.services)).toBeGreaterThanOrEqual(2)
})
