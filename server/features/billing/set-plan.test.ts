// Tests that a plan given by an admin does not end at the end date of the previous plan.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { updateUserSubscription } from '#contract/admin/admin-users.ts'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import { createStripeApp, type StripeApp } from '../../testing/stripe/stripe-app.ts'
import { subscriptionEvent } from '../../testing/stripe/stripe-payloads.ts'
import { expireSubscriptions } from './expire-subscriptions.ts'

let app: StripeApp
beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())

const now = Math.floor(Date.now() / 1000)
const day = 86_400
const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString()
const [passed, ahead] = [dateOf(now - 5 * day), dateOf(now + 5 * day)]

async function makeMember(tier: Tier, status: SubscriptionStatus, endsAt: string) {
  const { id } = await app.makeBuyer()
  await app.services.db.query
    .updateTable('profiles')
    .set({ subscription_tier: tier, subscription_status: status, subscription_ends_at: endsAt })
    .where('id', '=', id)
    .execute()
  return id
}

const patch = (id: string, subscription_tier: Tier) =>
  app.admin.call(updateUserSubscription, { params: { id }, body: { subscription_tier } })

const giveByHand = (user_id: string, tier: Tier, end?: { end_date: string | null }) =>
  app.admin.call(runBillingAction, {
    body: {
      action: 'manual_update_subscription',
      user_id,
      tier,
      status: 'active',
      payment_method: 'cash',
      ...end,
    },
  })

const quickly = (user_id: string, tier: Tier) =>
  app.admin.call(runBillingAction, {
    body: { action: 'update_subscription', user_id, tier, status: 'active' },
  })

async function afterSweep(id: string) {
  await expireSubscriptions(app.services.db, new Date())
  const { tier, status, renewal_date } = (await app.subscriptionOf(id))!
  return { tier, status, renewal_date }
}

test.each([
  ['User Management', patch],
  ['Add Manual Subscription', giveByHand],
  ['a quick action', quickly],
])('a plan given with %s after the previous plan expired has no end date', async (_, give) => {
  // With status active, the plan has just expired and the expiry sweep has not run yet.
  for (const status of ['inactive', 'active'] as const) {
    const id = await makeMember('monthly', status, passed)
    await give(id, 'premium')
    expect(await afterSweep(id)).toEqual({ tier: 'premium', status: 'active', renewal_date: null })
  }
})

test.each(['lifetime', 'comped'] as const)(
  '%s does not end when the previous plan would have ended',
  async (tier) => {
    for (const give of [patch, giveByHand, quickly]) {
      const id = await makeMember('monthly', 'active', ahead)
      await give(id, tier)
      expect(await afterSweep(id)).toEqual({ tier, status: 'active', renewal_date: null })
    }
    // An end date set by the admin is kept, even if the same plan is given again.
    const id = await makeMember('monthly', 'active', ahead)
    await giveByHand(id, tier, { end_date: ahead })
    await patch(id, tier)
    expect(await afterSweep(id)).toEqual({ tier, status: 'active', renewal_date: ahead })
  },
)

test('keeps an end date in the future when an admin gives another paid tier', async () => {
  const id = await makeMember('monthly', 'inactive', ahead)
  await patch(id, 'yearly')
  expect(await afterSweep(id)).toEqual({ tier: 'yearly', status: 'active', renewal_date: ahead })
})

test('removes the end date when the admin sends null', async () => {
  const id = await makeMember('yearly', 'active', ahead)
  expect((await giveByHand(id, 'yearly')).body.subscription?.renewal_date).toBe(ahead)
  const cleared = await giveByHand(id, 'yearly', { end_date: null })
  expect(cleared.body.subscription).toMatchObject({ tier: 'yearly', renewal_date: null })
})

test("a renewal in Stripe's grace period keeps its end date and its grace period", async () => {
  const { id, ids } = await app.makeBuyer()
  const renewal = now - day
  await app.deliver(
    subscriptionEvent('created', {
      ...ids,
      created: now - 100,
      status: 'past_due',
      periodStart: renewal,
    }),
  )
  await quickly(id, 'monthly')
  expect(await afterSweep(id)).toMatchObject({ status: 'active', renewal_date: dateOf(renewal) })
  await expireSubscriptions(app.services.db, new Date((renewal + 8 * day) * 1000))
  expect(await app.subscriptionOf(id)).toMatchObject({ status: 'inactive' })
})
