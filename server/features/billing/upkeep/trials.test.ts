import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { listPlans, startCheckout } from '#contract/billing.ts'
import { getProfile } from '#contract/profiles.ts'
import { sellingSettings, subscriptionEvent } from '../../../testing/stripe/stripe-payloads.ts'
import {
  createStripeApp,
  webhookSecret,
  type StripeApp,
} from '../../../testing/stripe/stripe-app.ts'
import type { Person } from '../../../testing/test-app.ts'
import { sweepStripeTasks } from './stripe-tasks.ts'

let app: StripeApp
const day = 86_400
const now = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())

interface Changes {
  trial_days_monthly?: number
  trial_days_yearly?: number
  trial_needs_card?: boolean
  grace_days?: number
}

const save = (changes: Changes) =>
  app.admin.call(updateSettings, {
    body: { action: 'update', settings: { ...sellingSettings(webhookSecret), ...changes } },
  })
const trialDays = async (member: Person) =>
  (await member.call(listPlans, {})).body.data.map(({ trial_days }) => trial_days)
const sentForm = async (member: Person) => {
  expect((await member.call(startCheckout, { body: { plan: 'monthly' } })).status).toBe(200)
  return app.stripe.calls.findLast(({ path }) => path === '/v1/checkout/sessions')!.form
}
let purchases = 0
const trialOf = (member: Person, card: string | null) => {
  const subscription = `sub_trial_${++purchases}`
  if (card !== null) app.stripe.cards.set(subscription, card)
  const ids = { subscription, customer: `cus_trial_${purchases}`, userId: member.id }
  return { ...ids, created: now - 60, status: 'trialing', trialEnd: now + 7 * day }
}

test('offers no trial unless the owner sets one', async () => {
  const member = await app.makePerson()
  expect(await trialDays(member)).toEqual([0, 0])
  const form = await sentForm(member)
  expect(Object.keys(form).filter((name) => /trial|collection/.test(name))).toEqual([])
})

test('rejects trials and grace periods that are invalid or too long', async () => {
  const refused: Changes[] = [
    { trial_days_monthly: 91 },
    { trial_days_yearly: -1 },
    { trial_days_monthly: 1.5 },
    { grace_days: 31 },
    { grace_days: -1 },
  ]
  for (const changes of refused) {
    expect((await save(changes)).code).toBe('invalid_input')
  }
  const { body } = await app.admin.call(getSettings, {})
  expect(body).toMatchObject({ trial_days_monthly: 0, trial_days_yearly: 0, grace_days: 7 })
  expect(body.trial_needs_card).toBe(true)
})

test('the payment page starts a trial of the configured length, and asks for a card if configured', async () => {
  await save({ trial_days_monthly: 7, trial_days_yearly: 14 })
  const member = await app.makePerson()
  expect(await trialDays(member)).toEqual([7, 14])
  expect(await sentForm(member)).toMatchObject({
    payment_method_collection: 'always',
    'subscription_data[trial_period_days]': '7',
    'subscription_data[metadata][user_id]': member.id,
  })
  await save({ trial_needs_card: false })
  expect(await sentForm(member)).toMatchObject({
    payment_method_collection: 'if_required',
    'subscription_data[trial_period_days]': '7',
    'subscription_data[trial_settings][end_behavior][missing_payment_method]': 'cancel',
  })
})

test('a trial grants Premium and sets trial_ends_at until the first payment', async () => {
  const member = await app.makePerson()
  const trial = trialOf(member, 'card_one')
  await app.deliver(subscriptionEvent('created', trial))
  const trial_ends_at = new Date(trial.trialEnd * 1000).toISOString()
  const profile = async () => (await member.call(getProfile, {})).body.data
  expect(await profile()).toMatchObject({
    is_premium: true,
    subscription_status: 'active',
    subscription_ends_at: trial_ends_at,
    trial_ends_at,
  })
  expect(await app.subscriptionOf(member.id)).toMatchObject({ status: 'active', trial_ends_at })
  expect(await sweepStripeTasks(app.services, new Date())).toBe(1)

  await app.deliver(
    subscriptionEvent('updated', {
      ...trial,
      created: now,
      status: 'active',
      periodEnd: now + 30 * day,
    }),
  )
  await expect.poll(profile).toMatchObject({ is_premium: true, trial_ends_at: null })
  expect(await trialDays(member)).toEqual([0, 0])
})

test('a person who has had a trial gets no second trial, even with a new account', async () => {
  const member = await app.makePerson()
  const trial = trialOf(member, 'card_two')
  await app.deliver(subscriptionEvent('created', trial))
  await app.deliver(subscriptionEvent('deleted', { ...trial, created: now }))
  expect(await trialDays(member)).toEqual([0, 0])
  expect(await sentForm(member)).not.toHaveProperty('subscription_data[trial_period_days]')

  const { db } = app.services
  const other = await app.makePerson()
  await db.query
    .updateTable('profiles')
    .set({ email: 'old@velour.test' })
    .where('id', '=', member.id)
    .execute()
  const { email } = member
  await db.query.updateTable('profiles').set({ email }).where('id', '=', other.id).execute()
  app.services.auth.evict(other.id)
  expect(await trialDays(other)).toEqual([0, 0])
  await sweepStripeTasks(app.services, new Date())
})

test('a second trial with the same card is canceled before anything is charged', async () => {
  const [first, second] = [await app.makePerson(), await app.makePerson()]
  await app.deliver(subscriptionEvent('created', trialOf(first, 'card_three')))
  expect(await sweepStripeTasks(app.services, new Date())).toBe(1)
  const again = trialOf(second, 'card_three')
  await app.deliver(subscriptionEvent('created', again))
  app.stripe.calls.length = 0
  expect(await sweepStripeTasks(app.services, new Date())).toBe(1)
  expect(app.stripe.calls.map(({ method, path }) => [method, path])).toEqual([
    ['GET', `/v1/subscriptions/${again.subscription}`],
    ['DELETE', `/v1/subscriptions/${again.subscription}`],
  ])
  await app.deliver(subscriptionEvent('deleted', { ...again, created: now }))
  expect(await app.subscriptionOf(second.id)).toMatchObject({ status: 'canceled' })
  expect(await app.subscriptionOf(first.id)).toMatchObject({ status: 'active' })
})

test('does not cancel trials without a card, or trials that the owner created in Stripe', async () => {
  const [plain, given] = [await app.makePerson(), await app.makePerson()]
  await app.deliver(subscriptionEvent('created', trialOf(plain, null)))
  const { userId: _, ...byHand } = trialOf(given, 'card_three')
  await app.services.db.query
    .insertInto('subscriptions')
    .values({ user_id: given.id, stripe_customer_id: byHand.customer })
    .execute()
  await app.deliver(subscriptionEvent('created', byHand))
  app.stripe.calls.length = 0
  expect(await sweepStripeTasks(app.services, new Date())).toBe(2)
  expect(app.stripe.calls.map(({ method }) => method)).toEqual(['GET', 'GET'])
})

test('a plan that an admin gives during a trial is not shown as a trial', async () => {
  const member = await app.makePerson()
  const trial = trialOf(member, 'card_four')
  await app.deliver(subscriptionEvent('created', trial))
  const body = { action: 'update_subscription', user_id: member.id } as const
  await app.admin.call(runBillingAction, { body: { ...body, tier: 'free', status: 'inactive' } })
  await app.admin.call(runBillingAction, { body: { ...body, tier: 'comped', status: 'active' } })
  expect(await app.subscriptionOf(member.id)).toMatchObject({ tier: 'comped', trial_ends_at: null })
})
