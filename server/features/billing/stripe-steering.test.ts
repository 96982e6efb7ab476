import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { banUser, deleteUser, updateUserSubscription } from '#contract/admin/admin-users.ts'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import { checkoutEvent, subscriptionEvent } from '../../testing/stripe/stripe-payloads.ts'
import { createStripeApp, type Buyer, type StripeApp } from '../../testing/stripe/stripe-app.ts'
import { expireSubscriptions } from './expire-subscriptions.ts'
import { sweepStripeClosures } from './stripe-closures.ts'

let app: StripeApp
beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())

const now = Math.floor(Date.now() / 1000)

async function makeSubscriber(status = 'active'): Promise<Buyer> {
  const buyer = await app.makeBuyer()
  await app.deliver(subscriptionEvent('created', { ...buyer.ids, created: now - 100, status }))
  return buyer
}

const set = (user_id: string, tier: Tier, status: SubscriptionStatus) =>
  app.admin.call(runBillingAction, {
    body: { action: 'update_subscription', user_id, tier, status },
  })

async function callsDuring(run: () => Promise<unknown>) {
  app.stripe.calls.length = 0
  await run()
  return app.stripe.calls.map(({ method, path, form }) => ({ method, path, form }))
}

test('Downgrade to Free cancels the subscription at Stripe, and the resulting event changes nothing', async () => {
  const { id, ids } = await makeSubscriber()
  const calls = await callsDuring(() => set(id, 'free', 'inactive'))
  expect(calls).toMatchObject([{ method: 'DELETE', path: `/v1/subscriptions/${ids.subscription}` }])
  await app.deliver(subscriptionEvent('deleted', { ...ids, created: now }))
  expect(await app.subscriptionOf(id)).toMatchObject({ tier: 'free', status: 'inactive' })
  const entry = await app.services.db.query
    .selectFrom('audit_log')
    .select('after')
    .where('entity_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(entry?.after).toMatchObject({ tier: 'free', status: 'inactive', stripe: 'canceled' })
})

test('Downgrade to Free cancels both subscriptions of a person who has two', async () => {
  const { id, ids } = await makeSubscriber()
  const second = { ...ids, subscription: `${ids.subscription}b` }
  await app.deliver(subscriptionEvent('created', { ...second, created: now - 90 }))
  expect(await callsDuring(() => set(id, 'free', 'inactive'))).toHaveLength(2)
})

test("Deactivate pauses a subscription's charges at Stripe, and Activate resumes them", async () => {
  const { id, ids } = await makeSubscriber()
  const path = `/v1/subscriptions/${ids.subscription}`
  const paused = await callsDuring(() => set(id, 'monthly', 'inactive'))
  expect(paused).toMatchObject([{ path, form: { 'pause_collection[behavior]': 'void' } }])
  const event = { ...ids, created: now }
  await app.deliver(subscriptionEvent('updated', { ...event, paused: true }))
  expect(await app.subscriptionOf(id)).toMatchObject({ tier: 'monthly', status: 'inactive' })
  const resumed = await callsDuring(() => set(id, 'monthly', 'active'))
  expect(resumed).toMatchObject([{ path, form: { pause_collection: '' } }])
  await app.deliver(subscriptionEvent('updated', { ...event, created: now + 1 }))
  expect(await app.subscriptionOf(id)).toMatchObject({ tier: 'monthly', status: 'active' })
})

// Stripe keeps updating its status while collection is paused.
test.each(['past_due', 'unpaid', 'trialing', 'incomplete'])(
  'a deactivated plan stays inactive while Stripe reports %s, and Activate resumes it',
  async (status) => {
    const { id, ids } = await makeSubscriber(status)
    const event = { ...ids, status, periodStart: now - 100 }
    await set(id, 'monthly', 'inactive')
    await app.deliver(subscriptionEvent('updated', { ...event, created: now, paused: true }))
    expect(await app.subscriptionOf(id)).toMatchObject({ status: 'inactive', is_billed: true })
    const resumed = await callsDuring(() => set(id, 'monthly', 'active'))
    expect(resumed).toMatchObject([{ form: { pause_collection: '' } }])
    // After the plan is resumed, the status that Stripe reports applies again.
    await app.deliver(subscriptionEvent('updated', { ...event, created: now + 1 }))
    const reported = { past_due: 'active', trialing: 'active' }[status] ?? 'inactive'
    expect(await app.subscriptionOf(id)).toMatchObject({ status: reported })
  },
)

test('a subscription that ends while its collection is paused becomes inactive and is no longer billed', async () => {
  const { id, ids } = await makeSubscriber('incomplete')
  const ended = { ...ids, created: now, status: 'incomplete_expired', paused: true }
  await app.deliver(subscriptionEvent('updated', ended))
  expect(await app.subscriptionOf(id)).toMatchObject({ status: 'inactive', is_billed: false })
})

test('rejects a tier that Stripe does not bill, and a manual plan during a Stripe subscription', async () => {
  const { id } = await makeSubscriber()
  const calls = await callsDuring(async () => {
    expect((await set(id, 'yearly', 'active')).code).toBe('stripe_runs_it')
    const body = {
      action: 'manual_update_subscription',
      user_id: id,
      tier: 'lifetime',
      status: 'active',
      payment_method: 'cash',
    } as const
    expect((await app.admin.call(runBillingAction, { body })).code).toBe('not_manual')
  })
  expect(calls).toEqual([])
  expect(await app.subscriptionOf(id)).toMatchObject({ tier: 'monthly', status: 'active' })
})

test("an admin's change has no effect when Stripe returns an error", async () => {
  const { id } = await makeSubscriber('past_due')
  app.stripe.failWith(402)
  expect((await set(id, 'free', 'inactive')).code).toBe('stripe_failed')
  app.stripe.failWith(null)
  expect(await app.subscriptionOf(id)).toMatchObject({ tier: 'monthly', status: 'active' })
})

test('changes in User Management also change the subscription at Stripe', async () => {
  const { id } = await makeSubscriber()
  const body = { subscription_tier: 'free' } as const
  const calls = await callsDuring(() =>
    app.admin.call(updateUserSubscription, { params: { id }, body }),
  )
  expect(calls).toMatchObject([{ method: 'DELETE' }])
})

test('a ban takes effect without waiting for Stripe; subscriptions of banned people can be paused and ended', async () => {
  const { id } = await makeSubscriber()
  expect(await callsDuring(() => app.admin.call(banUser, { params: { id } }))).toEqual([])
  expect(await app.subscriptionOf(id)).toMatchObject({ status: 'active', is_billed: true })
  const calls = await callsDuring(async () => {
    await set(id, 'monthly', 'inactive')
    await set(id, 'free', 'inactive')
  })
  expect(calls.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
})

test('late events do not end a plan that an admin gave after a Stripe subscription ended', async () => {
  const { id, ids } = await makeSubscriber()
  const ended = { ...ids, created: now - 50, endedAt: now - 50 }
  await app.deliver(subscriptionEvent('deleted', ended))
  expect((await app.subscriptionOf(id))?.status).toBe('canceled')
  expect(await callsDuring(() => set(id, 'monthly', 'active'))).toEqual([])
  await app.deliver(subscriptionEvent('updated', { ...ids, created: now - 60 }))
  await app.deliver(subscriptionEvent('deleted', { ...ended, created: now - 49 }))
  // The end date of the old plan is removed, so the new plan does not end immediately.
  await expireSubscriptions(app.services.db, new Date())
  expect(await app.subscriptionOf(id)).toMatchObject({ status: 'active', renewal_date: null })
  // A new purchase replaces the plan that the admin gave.
  const bought = { ...ids, subscription: `${ids.subscription}again` }
  await app.deliver(subscriptionEvent('created', { ...bought, created: now }))
  expect((await app.subscriptionOf(id))?.renewal_date).not.toBeNull()
})

test('deletes the Stripe customer of a deleted person, and retries until Stripe is available', async () => {
  const { id, ids } = await makeSubscriber()
  const { db, stripe } = app.services
  await app.admin.call(deleteUser, { params: { id } })
  const sweep = (minutes: number) =>
    sweepStripeClosures({ db, stripe }, new Date(Date.now() + minutes * 60_000))
  app.stripe.failWith(500)
  expect(await sweep(1)).toBe(0)
  app.stripe.failWith(null)
  // The deletion is retried after a delay.
  expect(await callsDuring(() => sweep(1))).toEqual([])
  const calls = await callsDuring(() => sweep(10))
  expect(calls).toMatchObject([{ method: 'DELETE', path: `/v1/customers/${ids.customer}` }])
  expect(await callsDuring(() => sweep(2000))).toEqual([])
})

test('deletes the Stripe customer when someone pays on an open page after the account was deleted', async () => {
  const { id, ids } = await app.makeBuyer()
  await app.admin.call(deleteUser, { params: { id } })
  await app.deliver(checkoutEvent({ ...ids, created: now }))
  // A customer of another installation that uses the same Stripe account is not deleted.
  const stranger = '0191a0c0-0000-7000-8000-0000000000aa'
  await app.deliver(
    checkoutEvent({ subscription: 'sub_s', customer: 'cus_s', userId: stranger, created: now }),
  )
  const { rows } = await sql<{
    customer_id: string
  }>`select customer_id from stripe_closures`.execute(app.services.db.query)
  expect(rows).toEqual([{ customer_id: ids.customer }])
})
