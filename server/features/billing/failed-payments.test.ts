import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { updateSettings } from '#contract/admin/admin-settings.ts'
import { getProfile } from '#contract/profiles.ts'
import {
  invoiceEvent,
  sellingSettings,
  subscriptionEvent,
} from '../../testing/stripe/stripe-payloads.ts'
import { createStripeApp, webhookSecret, type StripeApp } from '../../testing/stripe/stripe-app.ts'
import type { Person } from '../../testing/test-app.ts'
import { expireSubscriptions } from './expire-subscriptions.ts'

let app: StripeApp
const day = 86_400
const now = Math.floor(Date.now() / 1000)
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const payUrl = 'https://invoice.stripe.com/i/acct_1/test_1'

beforeAll(async () => {
  app = await createStripeApp()
})
beforeEach(async () => {
  await sql`delete from jobs.job where name = 'send-mail'`.execute(app.services.db.query)
})
afterAll(() => app.close())

let purchases = 0
/** Creates a member whose month has just ended, and returns the fields of the unpaid invoice. */
async function makeMemberWithFailedRenewal() {
  const member = await app.makePerson()
  const number = ++purchases
  const ids = {
    subscription: `sub_due_${number}`,
    customer: `cus_due_${number}`,
    userId: member.id,
  }
  const renewal = now - 3600
  await app.deliver(
    subscriptionEvent('created', { ...ids, created: now - 31 * day, periodEnd: renewal }),
  )
  const invoice = `in_due_${number}`
  const period = { periodStart: renewal, periodEnd: renewal + 30 * day }
  return { member, renewal, failed: { ...ids, ...period, invoice, created: renewal + 60, payUrl } }
}
type Failed = Awaited<ReturnType<typeof makeMemberWithFailedRenewal>>['failed']

const fail = (failed: Failed, changes: { created?: number; nextAttemptAt?: number } = {}) =>
  app.deliver(invoiceEvent('invoice.payment_failed', { ...failed, ...changes }))
const problemOf = async (member: Person) =>
  (await member.call(getProfile, {})).body.data?.payment_problem
const atRisk = async (member: Person) => {
  const body = { action: 'list_subscriptions' } as const
  const answer = await app.admin.call(runBillingAction, { body })
  return answer.body.at_risk?.filter(({ user_id }) => user_id === member.id)
}
async function mails(): Promise<{ to: string; subject: string; paragraphs: string[] }[]> {
  const jobs = sql<{ sealed: string }>`
    select data->>'sealed_mail' as sealed from jobs.job where name = 'send-mail' order by created_on`
  const { rows } = await jobs.execute(app.services.db.query)
  return rows.map(({ sealed }) => JSON.parse(app.services.secretBox.open(sealed) ?? ''))
}

test('shows a failed renewal with its reason, its payment page and the end of the grace period', async () => {
  const { member, renewal, failed } = await makeMemberWithFailedRenewal()
  app.stripe.paymentErrors.set(failed.invoice, {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
  })
  expect(await problemOf(member)).toBeNull()
  await fail(failed, { nextAttemptAt: now + 2 * day })
  const premium_until = iso(renewal + 7 * day)
  expect((await member.call(getProfile, {})).body.data).toMatchObject({
    is_premium: true,
    payment_problem: { reason: 'insufficient_funds', premium_until, pay_url: payUrl },
  })
  expect(await atRisk(member)).toEqual([
    {
      user_id: member.id,
      email: member.email,
      amount_cents: 999,
      currency: 'usd',
      reason: 'insufficient_funds',
      failed_at: iso(failed.created),
      next_try_at: iso(now + 2 * day),
      premium_until,
    },
  ])
})

test('sends one email per invoice with the reason, the deadline and the payment page', async () => {
  const { member, renewal, failed } = await makeMemberWithFailedRenewal()
  app.stripe.paymentErrors.set(failed.invoice, { code: 'expired_card' })
  const event = invoiceEvent('invoice.payment_failed', failed)
  await Promise.all([app.deliver(event), app.deliver(event)])
  await fail(failed, { created: now - 60 })
  const sent = await mails()
  expect(sent).toMatchObject([
    { to: member.email, subject: 'Your payment to Velour failed', button: { link: payUrl } },
  ])
  const text = sent[0]?.paragraphs.join('\n')
  expect(text).toContain('The payment of $9.99 for Premium failed. The card has expired.')
  expect(text).toContain(`Premium remains active until ${iso(renewal + 7 * day).slice(0, 10)}.`)
})

test('sends the email whether the event about the subscription arrives before or after the one about the invoice', async () => {
  for (const isFirst of [true, false]) {
    const { member, failed } = await makeMemberWithFailedRenewal()
    const due = { ...failed, status: 'past_due', previousStatus: 'active', created: now - 30 }
    const update = () => app.deliver(subscriptionEvent('updated', due))
    if (isFirst) await update()
    await fail(failed)
    if (!isFirst) await update()
    expect((await mails()).filter(({ to }) => to === member.email)).toHaveLength(1)
    expect(await problemOf(member)).toMatchObject({ reason: 'unknown' })
  }
})

test('a payment removes the failed renewal, whichever event arrives first', async () => {
  for (const isPaidFirst of [false, true]) {
    const { member, failed } = await makeMemberWithFailedRenewal()
    const pay = () => app.deliver(invoiceEvent('invoice.paid', { ...failed, created: now }))
    if (isPaidFirst) await pay()
    await fail(failed)
    if (!isPaidFirst) await pay()
    expect([isPaidFirst, await problemOf(member)]).toEqual([isPaidFirst, null])
    expect(await atRisk(member)).toEqual([])
  }
})

test('after the grace period Premium ends, and the payment is still due', async () => {
  const { member, renewal, failed } = await makeMemberWithFailedRenewal()
  await fail(failed)
  await expireSubscriptions(app.services.db, new Date((renewal + 7 * day) * 1000))
  await expect
    .poll(async () => (await member.call(getProfile, {})).body.data)
    .toMatchObject({ is_premium: false, payment_problem: { premium_until: null, pay_url: payUrl } })
  expect(await atRisk(member)).toMatchObject([{ premium_until: null }])
})

test('the grace period is as long as the setting says', async () => {
  const save = (grace_days: number) =>
    app.admin.call(updateSettings, {
      body: { action: 'update', settings: { ...sellingSettings(webhookSecret), grace_days } },
    })
  await save(14)
  const { member, renewal, failed } = await makeMemberWithFailedRenewal()
  await fail(failed)
  expect(await problemOf(member)).toMatchObject({ premium_until: iso(renewal + 14 * day) })
  await save(0)
  const other = await makeMemberWithFailedRenewal()
  await fail(other.failed)
  expect((await other.member.call(getProfile, {})).body.data).toMatchObject({ is_premium: false })
  await save(7)
})

test('applies the event of a failed payment even if the reason cannot be read from Stripe', async () => {
  const { member, failed } = await makeMemberWithFailedRenewal()
  app.stripe.failWith(500)
  const { status } = await fail(failed)
  app.stripe.failWith(null)
  expect(status).toBe(200)
  expect(await problemOf(member)).toMatchObject({ reason: 'unknown' })
})

test('a failed first payment of a subscription is not shown as a failed renewal', async () => {
  const member = await app.makePerson()
  const ids = { subscription: 'sub_never', customer: 'cus_never', userId: member.id }
  await app.deliver(
    invoiceEvent('invoice.payment_failed', {
      ...ids,
      invoice: 'in_never',
      created: now,
      reason: 'subscription_create',
    }),
  )
  expect(await problemOf(member)).toBeNull()
  expect(await mails()).toEqual([])
})

test('does not show the link to a payment page if it does not use https', async () => {
  const { member, failed } = await makeMemberWithFailedRenewal()
  await fail({ ...failed, payUrl: 'javascript:alert(1)' })
  expect(await problemOf(member)).toMatchObject({ pay_url: null })
})

test('Webhook Test shows the failure to the member, sends no email, and adds nothing to revenue at risk', async () => {
  const member = await app.makePerson()
  const ids = { subscription: 'sub_tried', customer: 'cus_tried', userId: member.id }
  const send = (body: object) => app.admin.send('POST', '/api/billing-webhook', { body })
  await send(subscriptionEvent('created', { ...ids, created: now - 100 }))
  await send(invoiceEvent('invoice.payment_failed', { ...ids, invoice: 'in_tried', created: now }))
  expect(await problemOf(member)).toMatchObject({ reason: 'unknown', pay_url: null })
  expect(await atRisk(member)).toEqual([])
  expect(await mails()).toEqual([])
})
