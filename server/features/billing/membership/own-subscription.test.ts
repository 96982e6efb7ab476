import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { listCancellations } from '#contract/admin/money/admin-cancellations.ts'
import { updateSettings } from '#contract/admin/admin-settings.ts'
import {
  acceptRetentionOffer,
  cancelSubscription,
  getOwnSubscription,
  resumeSubscription,
} from '#contract/own-subscription.ts'
import { getProfile } from '#contract/profiles.ts'
import { readQueuedMails } from '../../../testing/queued-mails.ts'
import { sellingSettings, subscriptionEvent } from '../../../testing/stripe/stripe-payloads.ts'
import {
  createStripeApp,
  webhookSecret,
  type StripeApp,
} from '../../../testing/stripe/stripe-app.ts'
import type { Person } from '../../../testing/test-app.ts'
import { expireSubscriptions } from '../expire-subscriptions.ts'
import { createBillingMailer } from '../notices/billing-mailer.ts'

let app: StripeApp
const day = 86_400
const now = Math.floor(Date.now() / 1000)
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

beforeAll(async () => {
  app = await createStripeApp()
})
beforeEach(async () => {
  app.stripe.calls.length = 0
  await sql`delete from jobs.job where name = 'send-mail'`.execute(app.services.db.query)
})
afterAll(() => app.close())

let purchases = 0
type Options = Partial<Parameters<typeof subscriptionEvent>[1]>
/** Creates a member whose subscription Stripe bills, in the middle of a month. */
async function makeSubscriber(options: Options = {}) {
  const member = await app.makePerson()
  const number = ++purchases
  const ids = {
    subscription: `sub_own_${number}`,
    customer: `cus_own_${number}`,
    userId: member.id,
    periodStart: now - 10 * day,
    periodEnd: now + 20 * day,
    ...options,
  }
  const event = subscriptionEvent('created', { ...ids, created: now - 10 * day })
  app.stripe.subscriptions.set(ids.subscription, structuredClone(event.data.object))
  await app.deliver(event)
  return { member, ids }
}
const own = async (member: Person) => (await member.call(getOwnSubscription, {})).body.data
const cancel = (member: Person, comment = 'Too few songs') =>
  member.call(cancelSubscription, { body: { feedback: 'missing_features', comment } })
const mailsTo = async ({ email }: Person) =>
  (await readQueuedMails(app)).filter(({ to }) => to === email).map(({ subject }) => subject)
const offer = (retention_percent: number) =>
  app.admin.call(updateSettings, {
    body: {
      action: 'update',
      settings: { ...sellingSettings(webhookSecret), retention_percent, retention_months: 3 },
    },
  })

test('cancels a subscription at the end of the paid period, stores the reason, and sends one email', async () => {
  const { member, ids } = await makeSubscriber()
  expect(await own(member)).toEqual({
    cancels: false,
    ends_at: iso(ids.periodEnd),
    ends_at_once: false,
    retention_offer: null,
  })
  const answers = await Promise.all([cancel(member), cancel(member)])
  for (const { status, body } of answers) {
    expect([status, body.data]).toMatchObject([200, { cancels: true, ends_at: iso(ids.periodEnd) }])
  }
  expect(app.stripe.calls[0]).toMatchObject({
    path: `/v1/subscriptions/${ids.subscription}`,
    form: {
      cancel_at_period_end: 'true',
      'cancellation_details[feedback]': 'missing_features',
      'cancellation_details[comment]': 'Too few songs',
    },
  })
  const object = app.stripe.subscriptions.get(ids.subscription)
  const event = { ...subscriptionEvent('updated', { ...ids, created: now }), data: { object } }
  await Promise.all([app.deliver(event), app.deliver(event)])
  expect(await mailsTo(member)).toEqual(['Your Velour Premium is canceled'])
  expect((await member.call(getProfile, {})).body.data?.is_premium).toBe(true)
})

test('a canceled subscription can be resumed before it ends, and canceled again', async () => {
  const { member } = await makeSubscriber()
  await cancel(member)
  const resumed = await member.call(resumeSubscription, {})
  expect(resumed.body.data).toMatchObject({ cancels: false })
  expect((await member.call(resumeSubscription, {})).status).toBe(200)
  const { body } = await app.admin.call(listCancellations, {})
  expect(body.recent.find(({ user_id }) => user_id === member.id)).toBeUndefined()
  expect((await cancel(member)).body.data).toMatchObject({ cancels: true })
})

test('a cancellation ends the plan immediately when the current period is unpaid', async () => {
  const { member, ids } = await makeSubscriber({ status: 'past_due', periodStart: now - day })
  expect(await own(member)).toMatchObject({ ends_at_once: true })
  const { body } = await cancel(member)
  expect(body.data).toBeNull()
  expect(app.stripe.calls[0]).toMatchObject({ method: 'DELETE' })
  expect((await member.call(getProfile, {})).body.data?.is_premium).toBe(false)
  const object = app.stripe.subscriptions.get(ids.subscription)
  await app.deliver({ ...subscriptionEvent('deleted', { ...ids, created: now }), data: { object } })
  expect(await mailsTo(member)).toEqual(['Your Velour Premium has ended'])
})

test('changes nothing here when Stripe returns an error', async () => {
  const { member } = await makeSubscriber()
  app.stripe.failWith(500)
  const { code } = await cancel(member)
  app.stripe.failWith(null)
  expect(code).toBe('stripe_failed')
  expect(await own(member)).toMatchObject({ cancels: false })
  expect(await mailsTo(member)).toEqual([])
})

test("returns 'no_subscription' to a member without a subscription, and never cancels another member's", async () => {
  const { member: other } = await makeSubscriber()
  const member = await app.makePerson()
  expect(await own(member)).toBeNull()
  expect((await cancel(member)).code).toBe('no_subscription')
  expect((await member.call(resumeSubscription, {})).code).toBe('no_subscription')
  expect((await member.call(acceptRetentionOffer, {})).code).toBe('no_subscription')
  expect((await app.nobody.call(cancelSubscription, { body: { feedback: null } })).status).toBe(401)
  expect(await own(other)).toMatchObject({ cancels: false })
})

test("applies a cancellation made in Stripe's portal, with its reason", async () => {
  const { member, ids } = await makeSubscriber()
  const details = { cancelAtPeriodEnd: true, feedback: 'unused', comment: 'No time' }
  const late = subscriptionEvent('updated', { ...ids, created: now - 2 * day })
  await app.deliver(subscriptionEvent('updated', { ...ids, ...details, created: now - day }))
  await app.deliver(late)
  expect(await mailsTo(member)).toEqual(['Your Velour Premium is canceled'])
  const { body } = await app.admin.call(listCancellations, {})
  expect(body.recent.find(({ user_id }) => user_id === member.id)).toEqual({
    user_id: member.id,
    email: member.email,
    tier: 'monthly',
    reason: 'unused',
    comment: 'No time',
    canceled_at: iso(now - day),
    ends_at: iso(ids.periodEnd),
  })
  expect(body.counts).toContainEqual({ reason: 'unused', count: 1 })
  expect((await member.call(listCancellations, {})).code).toBe('forbidden')
})

test("sends one email when the plan ends, whether Stripe's event or the expiry sweep ends it first", async () => {
  const sendMail = createBillingMailer(app.services)
  for (const isEventFirst of [true, false]) {
    const { member, ids } = await makeSubscriber({ cancelAtPeriodEnd: true })
    const end = subscriptionEvent('deleted', {
      ...ids,
      created: ids.periodEnd,
      endedAt: ids.periodEnd,
    })
    const expire = () =>
      expireSubscriptions(app.services.db, new Date((ids.periodEnd + 1) * 1000), sendMail)
    if (isEventFirst) await app.deliver(end)
    await expire()
    if (!isEventFirst) await app.deliver(end)
    await app.deliver(end)
    const ended = (await mailsTo(member)).filter((subject) => subject.includes('ended'))
    expect([isEventFirst, ended]).toEqual([isEventFirst, ['Your Velour Premium has ended']])
  }
})

test('offers the retention discount once a year, and never during a trial', async () => {
  await offer(50)
  const { member, ids } = await makeSubscriber()
  app.stripe.subscriptions.get(ids.subscription)!.discounts = ['di_own']
  expect(await own(member)).toMatchObject({ retention_offer: { percent_off: 50, months: 3 } })
  const answers = await Promise.all([
    member.call(acceptRetentionOffer, {}),
    member.call(acceptRetentionOffer, {}),
  ])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(app.stripe.subscriptions.get(ids.subscription)?.discounts).toEqual([
    'di_own',
    'di_velour-stay-50-3',
  ])
  expect(await own(member)).toMatchObject({ cancels: false, retention_offer: null })

  const trial = await makeSubscriber({ status: 'trialing', trialEnd: now + 5 * day })
  expect(await own(trial.member)).toMatchObject({ retention_offer: null })
  expect((await trial.member.call(acceptRetentionOffer, {})).code).toBe('offer_not_available')
  await offer(0)
})

test('the retention offer can be accepted again after Stripe returned an error', async () => {
  await offer(30)
  const { member } = await makeSubscriber()
  app.stripe.failWith(500)
  expect((await member.call(acceptRetentionOffer, {})).code).toBe('stripe_failed')
  app.stripe.failWith(null)
  expect((await member.call(acceptRetentionOffer, {})).status).toBe(200)
  await offer(0)
})
