// Tests the events that admins simulate with Webhook Test. They change plans in the same way as real events, but their
// subscriptions do not exist at Stripe.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { deleteUser } from '#contract/admin/admin-users.ts'
import { startCheckout } from '#contract/billing.ts'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import { createStripeApp, type StripeApp } from '../../testing/stripe/stripe-app.ts'
import {
  checkoutEvent,
  invoiceEvent,
  subscriptionEvent,
} from '../../testing/stripe/stripe-payloads.ts'

let app: StripeApp
beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())

const now = Math.floor(Date.now() / 1000)
const simulate = (event: object) => app.admin.send('POST', '/api/billing-webhook', { body: event })

const set = (user_id: string, tier: Tier, status: SubscriptionStatus) =>
  app.admin.call(runBillingAction, {
    body: { action: 'update_subscription', user_id, tier, status },
  })

/** Webhook Test uses the same customer id in all simulated events, for every member. */
const customer = 'cus_tried'
let tries = 0

async function simulatePurchase(userId: string) {
  const ids = { subscription: `sub_tried_${++tries}`, customer, userId }
  expect((await simulate(checkoutEvent({ ...ids, created: now }))).body).toMatchObject({
    outcome: 'applied',
  })
  return ids
}

test('Premium from a simulated purchase is revoked without calling Stripe', async () => {
  app.stripe.calls.length = 0
  for (const take of ['free', 'monthly'] as const) {
    const member = await app.makePerson()
    await simulatePurchase(member.id)
    expect(await app.subscriptionOf(member.id)).toMatchObject({
      tier: 'monthly',
      status: 'active',
      is_billed: false,
      stripe_customer_id: null,
    })
    expect((await set(member.id, take, 'inactive')).status).toBe(200)
  }
  const { id } = await app.makeBuyer()
  await simulatePurchase(id)
  const byHand = {
    action: 'manual_update_subscription',
    user_id: id,
    tier: 'yearly',
    status: 'active',
    payment_method: 'cash',
  } as const
  expect(
    (await app.admin.call(runBillingAction, { body: byHand })).body.subscription,
  ).toMatchObject({ tier: 'yearly', is_manual: true })
  await app.admin.call(deleteUser, { params: { id } })
  const closures = app.services.db.query.selectFrom('stripe_closures').selectAll()
  expect(await closures.execute()).toEqual([])
  expect(app.stripe.calls).toEqual([])
})

test('a member with a simulated purchase can buy a real subscription afterwards', async () => {
  const member = await app.makePerson()
  const ids = await simulatePurchase(member.id)
  await set(member.id, 'free', 'inactive')
  app.stripe.calls.length = 0
  expect((await member.call(startCheckout, { body: { plan: 'yearly' } })).status).toBe(200)
  expect(app.stripe.calls.at(-1)?.form).not.toHaveProperty('customer')
  // A real purchase with the ids of a simulated one that has ended is also applied.
  await simulate(subscriptionEvent('deleted', { ...ids, created: now + 100 }))
  const bought = checkoutEvent({ ...ids, customer: 'cus_real', created: now + 1, plan: 'yearly' })
  expect((await app.deliver(bought)).body).toMatchObject({ outcome: 'applied' })
  expect(await app.subscriptionOf(member.id)).toMatchObject({
    tier: 'yearly',
    status: 'active',
    is_billed: true,
    stripe_customer_id: 'cus_real',
  })
})

test.each(['customer.subscription.created', 'checkout.session.completed'])(
  'a simulated event about a real subscription that is known from %s changes nothing, and the subscription can still be canceled',
  async (first) => {
    const { id, ids } = await app.makeBuyer()
    const bought = { ...ids, created: now - 100 }
    await app.deliver(
      first === 'checkout.session.completed'
        ? checkoutEvent(bought)
        : subscriptionEvent('created', bought),
    )
    const before = await app.subscriptionOf(id)
    const stranger = await app.makeBuyer()
    const tried = { ...ids, userId: stranger.id }
    for (const event of [
      subscriptionEvent('created', { ...ids, created: now - 100 }),
      subscriptionEvent('updated', { ...tried, created: now, status: 'unpaid' }),
      invoiceEvent('invoice.paid', { ...tried, created: now, invoice: `in_${first}` }),
      checkoutEvent({ ...tried, created: now }),
      subscriptionEvent('deleted', { ...tried, created: now + 1 }),
    ]) {
      expect((await simulate(event)).body).toMatchObject({ outcome: 'outdated' })
    }
    expect(await app.subscriptionOf(id)).toEqual(before)
    expect(await app.subscriptionOf(stranger.id)).toMatchObject({ tier: 'free' })
    app.stripe.calls.length = 0
    await set(id, 'free', 'inactive')
    expect(app.stripe.calls).toMatchObject([
      { method: 'DELETE', path: `/v1/subscriptions/${ids.subscription}` },
    ])
  },
)

test('a simulated event cannot assign a real purchase of an unknown customer to a member', async () => {
  const { id, ids } = await app.makeBuyer()
  const { userId: _, ...unknown } = ids
  await app.deliver(subscriptionEvent('created', { ...unknown, created: now - 100 }))
  await simulate(subscriptionEvent('updated', { ...ids, created: now }))
  expect(await app.subscriptionOf(id)).toMatchObject({ tier: 'free', is_billed: false })
})

test('a simulated purchase next to a real one changes neither the plan nor the customer id', async () => {
  const { id, ids } = await app.makeBuyer()
  await app.deliver(
    subscriptionEvent('created', { ...ids, created: now - 100, price: 'price_year' }),
  )
  const before = await app.subscriptionOf(id)
  expect(before).toMatchObject({ tier: 'yearly', stripe_customer_id: ids.customer })
  const tried = await simulatePurchase(id)
  await simulate(subscriptionEvent('updated', { ...tried, created: now + 1 }))
  expect(await app.subscriptionOf(id)).toEqual(before)
})
