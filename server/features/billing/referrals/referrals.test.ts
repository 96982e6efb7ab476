import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { createInvitation } from '#contract/admin/admin-invitations.ts'
import { updateSettings } from '#contract/admin/admin-settings.ts'
import { listReferrals, voidReferral } from '#contract/admin/money/admin-referrals.ts'
import { signUp } from '#contract/auth.ts'
import { acceptInvitation } from '#contract/invitations.ts'
import { createReferralLink, getOwnReferrals, getReferralOffer } from '#contract/referrals.ts'
import { testPassword } from '../../../testing/auth-test-app.ts'
import { readQueuedMails } from '../../../testing/queued-mails.ts'
import {
  createStripeApp,
  webhookSecret,
  type StripeApp,
} from '../../../testing/stripe/stripe-app.ts'
import {
  invoiceEvent,
  refundedChargeEvent,
  sellingSettings,
  subscriptionEvent,
  type SubscriptionOptions,
} from '../../../testing/stripe/stripe-payloads.ts'
import type { Person } from '../../../testing/test-app.ts'
import { createBillingMailer } from '../notices/billing-mailer.ts'
import { carryOutRewards } from './give-rewards.ts'
import { settleReferrals } from './settle-referrals.ts'

let app: StripeApp
const now = Math.floor(Date.now() / 1000)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

beforeAll(async () => {
  app = await createStripeApp()
})
beforeEach(async () => {
  await offer()
  app.stripe.calls.length = 0
})
afterAll(() => app.close())

async function offer(terms: { months?: number; limit?: number; wait?: number } = {}) {
  const { months = 1, limit = 12, wait = 14 } = terms
  await app.admin.call(updateSettings, {
    body: {
      action: 'update',
      settings: {
        ...sellingSettings(webhookSecret),
        referral_months: months,
        referral_yearly_limit: limit,
        referral_wait_days: wait,
      },
    },
  })
}

async function linkOf(member: Person): Promise<string> {
  const { url } = (await member.call(createReferralLink, {})).body
  return url.slice(url.lastIndexOf('/') + 1)
}

let friends = 0
interface Friend {
  email: string
  id: string
  ids: { subscription: string; customer: string; userId: string }
}
async function join(code: string, email = `friend-${++friends}@velour.test`): Promise<Friend> {
  const body = { email, password: testPassword, referral_code: code }
  expect((await app.nobody.call(signUp, { body })).status).toBe(200)
  return friendOf(email)
}
async function friendOf(email: string): Promise<Friend> {
  const { id } = await app.services.db.query
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const name = `${email.replace(/\W/g, '_')}_${friends}`
  return { email, id, ids: { subscription: `sub_${name}`, customer: `cus_${name}`, userId: id } }
}

/** Creates a Stripe subscription that is paid with this card. */
async function subscribe(
  { ids }: Pick<Friend, 'ids'>,
  card: string,
  plan: Partial<SubscriptionOptions> = {},
) {
  const created = subscriptionEvent('created', { ...ids, created: now, ...plan })
  app.stripe.subscriptions.set(ids.subscription, {
    ...created.data.object,
    default_payment_method: { object: 'payment_method', card: { fingerprint: card } },
  })
  await app.deliver(created)
  const paid = { invoice: `in_${ids.subscription}`, reason: 'subscription_create' } as const
  const price = plan.price && { price: plan.price }
  await app.deliver(invoiceEvent('invoice.paid', { ...ids, created: now, ...paid, ...price }))
}
const refundAll = ({ ids }: Friend) =>
  app.deliver(
    refundedChargeEvent({
      charge: `ch_${ids.subscription}`,
      customer: ids.customer,
      invoice: `in_${ids.subscription}`,
      refunded: 999,
      created: now + 60,
    }),
  )

async function run(days: number) {
  const sendMail = createBillingMailer(app.services)
  await settleReferrals(app.services, inDays(days))
  await carryOutRewards({ ...app.services, sendMail }, inDays(days))
}
const own = async (member: Person) => (await member.call(getOwnReferrals, {})).body
const stateOf = async ({ email }: { email: string }) => {
  const [row] = (await app.admin.call(listReferrals, { query: { q: email } })).body.data
  return row && [row.state, row.void_reason, row.referrer_reward, row.friend_reward]
}
const discountsOf = ({ ids }: Pick<Friend, 'ids'>) =>
  app.stripe.subscriptions.get(ids.subscription)?.discounts
const endOf = async (id: string) => {
  const { rows } = await sql<{ ends_at: string | null }>`
    select subscription_ends_at as ends_at from profiles where id = ${id}`.execute(
    app.services.db.query,
  )
  return rows[0]?.ends_at ?? null
}
const daysLeft = async (id: string) => {
  const ends_at = await endOf(id)
  return ends_at && Math.round((Date.parse(ends_at) - Date.now()) / 86_400_000)
}

test('gives both members a month after the waiting period, as a discount or as a later end date', async () => {
  const member = await app.makePerson()
  const code = await linkOf(member)
  expect(await linkOf(member)).toBe(code)
  const friend = await join(code.toUpperCase())
  expect(await own(member)).toMatchObject({ joined: 1, paid: 0, months_waiting: 0 })
  await subscribe(friend, 'card_a')
  await run(13)
  expect(await own(member)).toMatchObject({ joined: 1, paid: 1, months_waiting: 1 })
  expect(discountsOf(friend)).toEqual([])
  await run(15)
  expect(await stateOf(friend)).toEqual(['rewarded', null, 'given', 'given'])
  expect(discountsOf(friend)).toHaveLength(1)
  const [coupon] = app.stripe.promotions.coupons.values()
  expect(coupon).toMatchObject({ percent_off: 100, duration: 'once' })
  expect(await daysLeft(member.id)).toBeGreaterThan(42)
  expect(await own(member)).toMatchObject({ months_earned: 1, months_waiting: 0 })
  await run(16)
  expect(discountsOf(friend)).toHaveLength(1)
  const mails = await readQueuedMails(app)
  for (const { email } of [member, friend]) {
    const subjects = mails.filter(({ to }) => to === email).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes('1 month'))).toHaveLength(1)
  }
})

test("takes one twelfth per month off a yearly plan, and keeps the subscription's other discounts", async () => {
  await offer({ months: 3 })
  const member = await app.makePerson()
  const { ids } = await friendOf(member.email)
  await subscribe({ ids }, 'card_yearly', { price: 'price_year', interval: 'year' })
  app.stripe.subscriptions.get(ids.subscription)!.discounts = ['di_spring']
  const friend = await join(await linkOf(member))
  await subscribe(friend, 'card_b')
  await run(15)
  expect(discountsOf({ ids })).toEqual(['di_spring', expect.stringMatching(/^di_velour-friend-/)])
  const coupons = [...app.stripe.promotions.coupons.values()]
  expect(coupons).toContainEqual(
    expect.objectContaining({ percent_off: 25, duration: 'once', duration_in_months: null }),
  )
  expect(coupons).toContainEqual(
    expect.objectContaining({ percent_off: 100, duration: 'repeating', duration_in_months: 3 }),
  )
})

test("grants no reward for the referrer's own card, a used card, an existing account or a deleted account's address", async () => {
  const member = await app.makePerson()
  const { ids } = await friendOf(member.email)
  await subscribe({ ids }, 'card_own')
  const code = await linkOf(member)
  // A friend who pays with the referrer's card.
  const same = await join(code)
  await subscribe(same, 'card_own')
  // Two friends with the same card: only the first one earns a reward.
  const first = await join(code)
  await subscribe(first, 'card_shared')
  await run(15)
  const second = await join(code)
  await subscribe(second, 'card_shared')
  await run(15)
  expect(await stateOf(same)).toEqual(['void', 'same_card', 'none', 'none'])
  expect(await stateOf(first)).toEqual(['rewarded', null, 'given', 'given'])
  expect(await stateOf(second)).toEqual(['void', 'same_card', 'none', 'none'])
  // An account that already existed, and the address of a deleted account.
  const old = await app.makePerson()
  await app.services.db.query
    .updateTable('profiles')
    .set({ created_at: inDays(-1).toISOString() })
    .where('id', '=', old.id)
    .execute()
  await app.nobody.call(signUp, {
    body: { email: old.email, password: testPassword, referral_code: code },
  })
  expect(await stateOf(old)).toBeUndefined()
  await app.services.db.query.deleteFrom('profiles').where('id', '=', first.id).execute()
  await join(code, first.email)
  expect(await stateOf(first)).toBeUndefined()
  expect(await own(member)).toMatchObject({ joined: 3, paid: 3, months_earned: 1 })
})

test("revokes an unused reward when the friend's payment is refunded", async () => {
  const [early, late] = [await app.makePerson(), await app.makePerson()]
  const before = await join(await linkOf(early))
  await subscribe(before, 'card_early')
  await refundAll(before)
  await run(15)
  expect(await stateOf(before)).toEqual(['void', 'refunded', 'none', 'none'])
  const after = await join(await linkOf(late))
  await subscribe(after, 'card_late')
  await run(15)
  expect(await daysLeft(late.id)).toBeGreaterThan(42)
  await refundAll(after)
  await run(16)
  expect(await stateOf(after)).toEqual(['void', 'refunded', 'ended', 'ended'])
  expect(discountsOf(after)).toEqual([])
  expect(await daysLeft(late.id)).toBeLessThan(17)
})

test('rewards a referrer for no more friends per year than the limit, even if several rewards are due concurrently', async () => {
  await offer({ limit: 2 })
  const member = await app.makePerson()
  const code = await linkOf(member)
  const joined: Friend[] = []
  for (let index = 0; index < 3; index++) {
    const friend = await join(code)
    await subscribe(friend, `card_limit_${index}`)
    joined.push(friend)
  }
  await Promise.all([
    settleReferrals(app.services, inDays(15)),
    settleReferrals(app.services, inDays(15)),
  ])
  await run(26)
  const rewards = await Promise.all(joined.map(async (friend) => (await stateOf(friend))?.[2]))
  expect(rewards.map(String).toSorted()).toEqual(['given', 'given', 'over_limit'])
  expect(await own(member)).toMatchObject({ months_earned: 2 })
})

test('gives a monthly subscriber one reward at a time, and none during a trial', async () => {
  const member = await app.makePerson()
  const { ids } = await friendOf(member.email)
  const trial = { status: 'trialing', trialEnd: now + 40 * 86_400 }
  await subscribe({ ids }, 'card_trial', trial)
  await app.deliver(subscriptionEvent('updated', { ...ids, created: now + 5, ...trial }))
  const code = await linkOf(member)
  for (const card of ['card_x', 'card_y']) await subscribe(await join(code), card)
  await run(15)
  expect(discountsOf({ ids })).toEqual([])
  await app.deliver(subscriptionEvent('updated', { ...ids, created: now + 10, status: 'active' }))
  await run(16)
  await run(17)
  expect(discountsOf({ ids })).toHaveLength(1)
  // Simulate that Stripe has redeemed the first coupon.
  app.stripe.subscriptions.get(ids.subscription)!.discounts = []
  await run(18)
  expect(discountsOf({ ids })).toHaveLength(1)
  expect(await own(member)).toMatchObject({ months_earned: 2, months_waiting: 0 })
})

test("does not grant a reward twice when Stripe's response was lost", async () => {
  const member = await app.makePerson()
  const friend = await join(await linkOf(member))
  await subscribe(friend, 'card_lost')
  app.stripe.failWith(500)
  await run(15)
  expect(await stateOf(friend)).toEqual(['paid', null, 'none', 'none'])
  app.stripe.failWith(null)
  await run(16)
  await app.services.db.query
    .updateTable('referral_rewards')
    .set({ state: 'waiting', way: null, given_at: null, try_after: inDays(0).toISOString() })
    .where('user_id', '=', friend.id)
    .execute()
  await run(17)
  expect(discountsOf(friend)).toHaveLength(1)
  expect(await stateOf(friend)).toEqual(['rewarded', null, 'given', 'given'])
})

test('counts friends who pay in cash or were invited, even if referrals are turned off after they joined', async () => {
  await offer({ months: 2 })
  const member = await app.makePerson()
  const code = await linkOf(member)
  const email = 'invited@velour.test'
  await app.admin.call(createInvitation, { body: { email } })
  const [mail] = (await readQueuedMails(app)).filter(({ to }) => to === email)
  const token = mail?.button.link.split('=').at(-1) ?? ''
  await app.nobody.call(acceptInvitation, {
    body: { token, password: testPassword, referral_code: code },
  })
  await offer({ months: 0 })
  const friend = await friendOf(email)
  await app.admin.call(runBillingAction, {
    body: {
      action: 'manual_update_subscription',
      user_id: friend.id,
      tier: 'monthly',
      status: 'active',
      payment_method: 'cash',
      amount_cents: 999,
      end_date: inDays(30).toISOString(),
    },
  })
  expect((await app.nobody.call(getReferralOffer, { params: { referral_code: code } })).code).toBe(
    'referral_link_not_found',
  )
  const stranger = await app.makePerson()
  expect((await stranger.call(createReferralLink, {})).code).toBe('referrals_closed')
  expect(await own(member)).toMatchObject({ months: 0, url: expect.stringContaining(code) })
  await join(code, 'late@velour.test')
  expect(await stateOf({ email: 'late@velour.test' })).toBeUndefined()
  await run(15)
  expect(await stateOf(friend)).toEqual(['rewarded', null, 'given', 'given'])
  expect(await daysLeft(friend.id)).toBeGreaterThan(85)
})

test('only admins can void a referral, which writes an audit entry', async () => {
  const member = await app.makePerson()
  const friend = await join(await linkOf(member))
  await subscribe(friend, 'card_void')
  await run(15)
  const { data, figures } = (await app.admin.call(listReferrals, { query: { q: friend.email } }))
    .body
  const params = { referral_id: data[0]!.id }
  expect(figures.joined).toBeGreaterThan(1)
  expect((await member.call(voidReferral, { params })).code).toBe('forbidden')
  expect((await app.admin.call(voidReferral, { params })).body).toMatchObject({
    state: 'void',
    void_reason: 'by_admin',
  })
  await run(15)
  expect(await stateOf(friend)).toEqual(['void', 'by_admin', 'ended', 'ended'])
  expect(discountsOf(friend)).toEqual([])
  const entries = await app.services.db.query
    .selectFrom('audit_log')
    .select('action')
    .where('entity', '=', 'referral')
    .where('entity_id', '=', params.referral_id)
    .execute()
  expect(entries).toHaveLength(1)
})
