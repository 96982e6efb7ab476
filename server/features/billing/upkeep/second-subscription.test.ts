import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startCheckout } from '#contract/billing.ts'
import {
  checkoutEvent,
  invoiceEvent,
  subscriptionEvent,
} from '../../../testing/stripe/stripe-payloads.ts'
import { createStripeApp, type StripeApp } from '../../../testing/stripe/stripe-app.ts'
import type { Person } from '../../../testing/test-app.ts'
import { sweepStripeTasks } from './stripe-tasks.ts'

let app: StripeApp
const now = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  app = await createStripeApp()
})
beforeEach(() => {
  app.stripe.sessions.clear()
  app.stripe.calls.length = 0
})
afterAll(() => app.close())

const buy = (member: Person, plan: 'monthly' | 'yearly' = 'monthly') =>
  member.call(startCheckout, { body: { plan } })
const statuses = () => [...app.stripe.sessions.values()].map(({ status }) => status)
const onlySession = () => [...app.stripe.sessions.values()][0]!

test('concurrent clicks on one plan open one payment page', async () => {
  const member = await app.makePerson()
  const answers = await Promise.all(Array.from({ length: 5 }, () => buy(member)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1)
  expect(statuses()).toEqual(['open'])
})

test('a later click returns the payment page that is still open', async () => {
  const member = await app.makePerson()
  const first = await buy(member)
  expect((await buy(member)).body).toEqual(first.body)
  expect(statuses()).toEqual(['open'])
})

test('opens a new payment page when the previous one has expired', async () => {
  const member = await app.makePerson()
  const first = await buy(member)
  Object.assign(onlySession(), { status: 'expired', url: null })
  const second = await buy(member)
  expect(second.status).toBe(200)
  expect(second.body.url).not.toBe(first.body.url)
})

test('concurrent clicks open one payment page when the previous one has expired', async () => {
  for (let round = 0; round < 8; round++) {
    app.stripe.sessions.clear()
    const member = await app.makePerson()
    await buy(member)
    Object.assign(onlySession(), { status: 'expired', url: null })
    const answers = await Promise.all(Array.from({ length: 5 }, () => buy(member)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1)
  }
})

test('opening a payment page for the other plan closes the previous page', async () => {
  const member = await app.makePerson()
  await buy(member, 'monthly')
  expect((await buy(member, 'yearly')).status).toBe(200)
  expect(statuses()).toEqual(['expired', 'open'])
})

test('concurrent clicks on both plans leave at most one payment page open', async () => {
  for (let round = 0; round < 5; round++) {
    app.stripe.sessions.clear()
    const member = await app.makePerson()
    const answers = await Promise.all([
      buy(member, 'monthly'),
      buy(member, 'yearly'),
      buy(member, 'monthly'),
    ])
    for (const { status, code } of answers) {
      if (status !== 200) expect([status, code]).toEqual([409, 'checkout_replaced'])
    }
    expect(statuses().filter((status) => status === 'open').length).toBeLessThanOrEqual(1)
    expect((await buy(member, 'yearly')).status).toBe(200)
    expect(statuses().filter((status) => status === 'open')).toEqual(['open'])
  }
})

test("a member who has paid cannot buy again, even before Stripe's events arrive", async () => {
  const member = await app.makePerson()
  await buy(member)
  Object.assign(onlySession(), { status: 'complete', url: null, subscription: 'sub_paid' })
  expect((await buy(member)).code).toBe('already_subscribed')
  expect((await buy(member, 'yearly')).code).toBe('already_subscribed')
  expect(app.stripe.sessions.size).toBe(1)

  const ids = { subscription: 'sub_paid', customer: 'cus_paid', userId: member.id }
  await app.deliver(subscriptionEvent('created', { ...ids, created: now - 50 }))
  expect((await buy(member)).code).toBe('already_subscribed')
  await app.deliver(subscriptionEvent('deleted', { ...ids, created: now }))
  // Poll, because the member's session is updated shortly afterwards.
  await expect.poll(async () => (await buy(member)).status).toBe(200)
})

test('a checkout that Stripe rejected does not block the next checkout', async () => {
  const member = await app.makePerson()
  app.stripe.failWith(400)
  expect((await buy(member)).code).toBe('stripe_failed')
  app.stripe.failWith(null)
  expect((await buy(member)).status).toBe(200)
})

test('opens no other payment page until the previous one could be closed', async () => {
  const member = await app.makePerson()
  await buy(member, 'monthly')
  app.stripe.failWith(400)
  expect((await buy(member, 'yearly')).code).toBe('stripe_failed')
  app.stripe.failWith(null)
  expect((await buy(member, 'yearly')).status).toBe(200)
  expect(statuses()).toEqual(['expired', 'open'])
})

test('cancels and refunds the newer of two paid subscriptions', async () => {
  const { id, ids } = await app.makeBuyer()
  const second = { ...ids, subscription: `${ids.subscription}_second` }
  app.stripe.invoices.set(second.subscription, ['pi_second'])
  const events = [
    subscriptionEvent('created', { ...second, created: now - 10 }),
    invoiceEvent('invoice.paid', { ...second, created: now - 10, invoice: 'in_second' }),
    subscriptionEvent('created', { ...ids, created: now - 60 }),
    checkoutEvent({ ...second, created: now - 9 }),
  ]
  await Promise.all(events.map((event) => app.deliver(event)))
  app.stripe.calls.length = 0
  expect(await sweepStripeTasks(app.services, new Date())).toBe(1)
  expect(app.stripe.calls.map(({ method, path, form }) => [method, path, form])).toEqual([
    ['DELETE', `/v1/subscriptions/${second.subscription}`, {}],
    ['GET', '/v1/invoices', {}],
    ['POST', '/v1/refunds', { payment_intent: 'pi_second', reason: 'duplicate' }],
  ])
  await app.deliver(subscriptionEvent('deleted', { ...second, created: now }))
  expect(await app.subscriptionOf(id)).toMatchObject({ status: 'active', is_billed: true })
  expect(await sweepStripeTasks(app.services, new Date())).toBe(0)
})

test('retries a failed refund without canceling again', async () => {
  const { ids } = await app.makeBuyer()
  const second = { ...ids, subscription: `${ids.subscription}_second` }
  app.stripe.invoices.set(second.subscription, ['pi_again'])
  await app.deliver(subscriptionEvent('created', { ...ids, created: now - 60 }))
  await app.deliver(subscriptionEvent('created', { ...second, created: now - 10 }))
  app.stripe.failWith(400)
  expect(await sweepStripeTasks(app.services, new Date())).toBe(0)
  app.stripe.failWith(null)
  expect(await sweepStripeTasks(app.services, new Date(Date.now() + 120_000))).toBe(1)
  expect(app.stripe.calls.at(-1)).toMatchObject({ path: '/v1/refunds' })
})

test('does not cancel one of two subscriptions that have both run for a long time', async () => {
  const { ids } = await app.makeBuyer()
  const day = 86_400
  const second = { ...ids, subscription: `${ids.subscription}_old` }
  await app.deliver(subscriptionEvent('created', { ...ids, created: now - 20 * day }))
  await app.deliver(subscriptionEvent('created', { ...second, created: now - 10 * day }))
  expect(await sweepStripeTasks(app.services, new Date())).toBe(0)
})

test('does not cancel a subscription that the owner created in Stripe', async () => {
  const { ids } = await app.makeBuyer()
  await app.deliver(subscriptionEvent('created', { ...ids, created: now - 60 }))
  const { userId: _, ...byHand } = { ...ids, subscription: `${ids.subscription}_by_hand` }
  await app.deliver(subscriptionEvent('created', { ...byHand, created: now - 10 }))
  expect(await sweepStripeTasks(app.services, new Date())).toBe(0)
})
