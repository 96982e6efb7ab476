import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { refundPayment } from '#contract/admin/money/admin-refunds.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { buyGift, listGifts, redeemGift } from '#contract/gifts.ts'
import { getProfile } from '#contract/profiles.ts'
import { readQueuedMails } from '../../../testing/queued-mails.ts'
import { createStripeApp, type StripeApp } from '../../../testing/stripe/stripe-app.ts'
import {
  giftEvent,
  refundedChargeEvent,
  subscriptionEvent,
} from '../../../testing/stripe/stripe-payloads.ts'
import type { Person } from '../../../testing/test-app.ts'
import { expireSubscriptions } from '../expire-subscriptions.ts'
import { createBillingMailer } from '../notices/billing-mailer.ts'
import { sweepStripeTasks } from '../upkeep/stripe-tasks.ts'
import { startWaitingGifts } from './redeem-gift.ts'
import { sendDueGifts } from './send-due-gifts.ts'

let app: StripeApp
const dayMs = 86_400_000
const now = Math.floor(Date.now() / 1000)
const inDays = (days: number) => new Date(Date.now() + days * dayMs)

beforeAll(async () => {
  app = await createStripeApp()
})
beforeEach(async () => {
  app.stripe.calls.length = 0
  await sql`delete from jobs.job where name = 'send-mail'`.execute(app.services.db.query)
})
afterAll(() => app.close())

type Wish = CallInput<typeof buyGift>['body']
const wish: Wish = {
  months: 3,
  from_name: 'Ada',
  recipient_email: null,
  message: '',
  send_on: null,
}
let purchases = 0
/** Opens the payment page for a gift. */
async function order(changes: Partial<Wish> = {}) {
  const buyer = await app.makePerson()
  app.stripe.calls.length = 0
  const answer = await buyer.call(buyGift, { body: { ...wish, ...changes } })
  const form = app.stripe.calls[0]?.form ?? {}
  const gift = form['metadata[gift_id]'] ?? ''
  const amount = Number(form['line_items[0][price_data][unit_amount]'])
  const number = ++purchases
  const paid = { gift, amount, intent: `pi_gift_${number}`, created: now }
  return { buyer, answer, form, paid, charge: `ch_gift_${number}` }
}
async function buy(changes: Partial<Wish> = {}) {
  const ordered = await order(changes)
  await app.deliver(giftEvent(ordered.paid))
  const [gift] = await giftsOf(ordered.buyer)
  return { ...ordered, code: gift?.code ?? '' }
}
const giftsOf = async (member: Person) => (await member.call(listGifts, {})).body.data
const redeem = (member: Person, code: string) => member.call(redeemGift, { body: { code } })
const refundAll = (gift: Awaited<ReturnType<typeof order>>, refunded = gift.paid.amount) =>
  app.deliver(
    refundedChargeEvent({
      charge: gift.charge,
      customer: null,
      intent: gift.paid.intent,
      amount: gift.paid.amount,
      refunded,
      created: now,
    }),
  )
const planOf = async (member: Person) => {
  const { rows } = await sql<{ status: string; ends_at: string | null }>`
    select subscription_status as status, subscription_ends_at as ends_at
      from profiles where id = ${member.id}`.execute(app.services.db.query)
  return rows[0]!
}
const daysLeft = async (member: Person) => {
  const { ends_at } = await planOf(member)
  return ends_at === null ? null : Math.round((Date.parse(ends_at) - Date.now()) / dayMs)
}
const mails = async (to: string) => (await readQueuedMails(app)).filter((mail) => mail.to === to)
const sendDue = (at: Date) => sendDueGifts(app.services, at, createBillingMailer(app.services))

test('a gift has one payment, one receipt and one ledger entry', async () => {
  const { buyer, answer, form, paid } = await order({ months: 12 })
  expect(answer.body.url).toMatch(/^https:\/\/checkout\.stripe\.com/)
  expect(form).toMatchObject({
    mode: 'payment',
    customer_email: buyer.email,
    'line_items[0][price_data][unit_amount]': '9999',
    'payment_intent_data[metadata][gift_id]': paid.gift,
  })
  expect(await giftsOf(buyer)).toEqual([])
  const event = giftEvent(paid)
  await Promise.all([app.deliver(event), app.deliver(event), app.deliver(giftEvent(paid))])
  expect(await app.ledgerOf(buyer.id)).toEqual([['payment', 9999]])
  const [gift] = await giftsOf(buyer)
  expect(gift).toMatchObject({ months: 12, state: 'open', amount_cents: 9999 })
  expect(gift?.code).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
  const sent = await mails(buyer.email)
  expect(sent.map(({ subject }) => subject)).toEqual(['Your Velour gift'])
  expect(sent[0]?.paragraphs.join(' ')).toContain(gift?.code)
  const { rows } = await sql<{ row: string }>`select gifts::text as row from gifts`.execute(
    app.services.db.query,
  )
  expect(rows.map(({ row }) => row).join()).not.toContain(gift?.code)
})

test('sends no gift code while the payment is pending', async () => {
  const { buyer, paid } = await order()
  await app.deliver(giftEvent({ ...paid, paid: false }))
  expect(await giftsOf(buyer)).toEqual([])
  const type = 'checkout.session.async_payment_succeeded'
  await app.deliver(giftEvent({ ...paid, type }))
  expect(await giftsOf(buyer)).toHaveLength(1)
})

test('sends the gift email once, on the scheduled date', async () => {
  const to = 'ben@velour.test'
  const send_on = inDays(5).toISOString().slice(0, 10)
  const { buyer, code } = await buy({ recipient_email: to, message: 'For you', send_on })
  await sendDue(new Date())
  expect(await mails(to)).toEqual([])
  await Promise.all([sendDue(inDays(6)), sendDue(inDays(6))])
  await sendDue(inDays(7))
  const [mail, ...more] = await mails(to)
  expect(more).toEqual([])
  expect(mail).toMatchObject({ subject: 'Ada gives you Velour Premium' })
  expect(mail?.button.link).toContain(`/gift?code=${code}`)
  expect(mail?.paragraphs).toContain('For you')
  expect(await giftsOf(buyer)).toMatchObject([{ state: 'sent' }])
})

test('redeeming grants Premium with an end date; the code works once, in any case and with any separators', async () => {
  const { buyer, code } = await buy()
  const member = await app.makePerson()
  expect((await redeem(member, 'NONE')).code).toBe('gift_code_invalid')
  const { body } = await redeem(member, ` ${code.toLowerCase().replaceAll('-', ' ')} `)
  expect(body).toMatchObject({ months: 3, starts: 'now' })
  expect((await member.call(getProfile, {})).body.data?.is_premium).toBe(true)
  expect(await daysLeft(member)).toBeGreaterThan(88)
  expect((await redeem(member, code)).code).toBe('gift_redeemed')
  expect((await redeem(buyer, code)).code).toBe('gift_redeemed')
  expect(await giftsOf(buyer)).toMatchObject([{ state: 'redeemed', code: null }])
  await expireSubscriptions(app.services.db, inDays(100))
  expect(await planOf(member)).toMatchObject({ status: 'inactive' })
})

test('only one of several members who redeem a code concurrently gets the gift', async () => {
  const { code } = await buy()
  const people = await Promise.all(Array.from({ length: 4 }, () => app.makePerson()))
  const answers = await Promise.all(people.map((member) => redeem(member, code)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const plans = await Promise.all(people.map(planOf))
  expect(plans.filter(({ status }) => status === 'active')).toHaveLength(1)
})

test('a second gift extends the first one, even if both are redeemed concurrently', async () => {
  const [first, second] = [await buy({ months: 1 }), await buy({ months: 1 })]
  const member = await app.makePerson()
  await Promise.all([redeem(member, first.code), redeem(member, second.code)])
  expect(await daysLeft(member)).toBeGreaterThan(57)
})

test('starts a gift that a subscriber redeemed when the subscription has ended', async () => {
  const { code } = await buy({ months: 1 })
  const member = await app.makePerson()
  const ids = { subscription: 'sub_payer', customer: 'cus_payer', userId: member.id }
  await app.deliver(subscriptionEvent('created', { ...ids, created: now - 100 }))
  const before = await planOf(member)
  expect((await redeem(member, code)).body).toEqual({ months: 1, starts: 'later', ends_at: null })
  expect(await planOf(member)).toEqual(before)
  expect(await startWaitingGifts(app.services.db, new Date())).toBe(0)
  await app.deliver(subscriptionEvent('deleted', { ...ids, created: now, endedAt: now }))
  expect((await planOf(member)).status).not.toBe('active')
  const starts = [1, 2, 3].map(() => startWaitingGifts(app.services.db, new Date()))
  expect((await Promise.all(starts)).reduce((sum, count) => sum + count)).toBe(1)
  expect(await planOf(member)).toMatchObject({ status: 'active' })
  // A late event about the ended subscription does not end the gift.
  await app.deliver(subscriptionEvent('deleted', { ...ids, created: now + 1, endedAt: now }))
  expect(await planOf(member)).toMatchObject({ status: 'active' })
})

test("rejects the code if the member's Premium has no end date, and keeps the code valid", async () => {
  const { code } = await buy()
  const member = await app.makePerson()
  await app.admin.call(runBillingAction, {
    body: {
      action: 'manual_update_subscription',
      user_id: member.id,
      tier: 'lifetime',
      status: 'active',
      payment_method: 'cash',
    },
  })
  expect((await redeem(member, code)).code).toBe('gift_not_needed')
  expect((await redeem(await app.makePerson(), code)).status).toBe(200)
})

test('a refund before the gift is redeemed invalidates the code', async () => {
  const gift = await buy()
  await refundAll(gift)
  expect((await redeem(await app.makePerson(), gift.code)).code).toBe('gift_code_invalid')
  expect(await giftsOf(gift.buyer)).toMatchObject([{ state: 'refunded', code: null }])
  expect(await app.ledgerOf(gift.buyer.id)).toEqual([
    ['payment', gift.paid.amount],
    ['refund', -gift.paid.amount],
  ])
})

test('applies a refund whose event arrives before the event of the payment', async () => {
  const ordered = await order()
  await refundAll(ordered)
  await app.deliver(giftEvent(ordered.paid))
  expect(await giftsOf(ordered.buyer)).toMatchObject([{ state: 'refunded' }])
})

test('a partial refund of a gift keeps its code valid', async () => {
  const gift = await buy()
  await refundAll(gift, 100)
  expect((await redeem(await app.makePerson(), gift.code)).status).toBe(200)
})

test('a full refund revokes the unused months of the refunded gift, and nothing else', async () => {
  const [first, second] = [await buy({ months: 1 }), await buy({ months: 3 })]
  const member = await app.makePerson()
  await redeem(member, first.code)
  await redeem(member, second.code)
  const whole = (await daysLeft(member))!
  await Promise.all([refundAll(first), refundAll(first)])
  const left = (await daysLeft(member))!
  expect(whole - left).toBeGreaterThanOrEqual(28)
  expect(whole - left).toBeLessThanOrEqual(31)
  await refundAll(second)
  expect(await daysLeft(member)).toBeCloseTo(0)
  await expireSubscriptions(app.services.db, inDays(1))
  expect(await planOf(member)).toMatchObject({ status: 'inactive' })
})

test('a refund does not shorten a paid plan or a plan given by an admin', async () => {
  const gift = await buy({ months: 1 })
  const member = await app.makePerson()
  await redeem(member, gift.code)
  await app.admin.call(runBillingAction, {
    body: {
      action: 'manual_update_subscription',
      user_id: member.id,
      tier: 'lifetime',
      status: 'active',
      payment_method: 'cash',
      end_date: null,
    },
  })
  await refundAll(gift)
  expect(await planOf(member)).toEqual({ status: 'active', ends_at: null })
})

test('an admin can refund a gift like any other payment', async () => {
  const gift = await buy()
  const { body } = await app.admin.call(runBillingAction, {
    body: { action: 'list_payments', user_id: gift.buyer.id },
  })
  const payment = body.payments![0]!
  expect(payment.is_refundable).toBe(true)
  await app.admin.call(refundPayment, {
    body: {
      payment_id: payment.id,
      amount_cents: payment.amount_cents,
      refunded_cents: 0,
      reason: 'requested_by_customer',
    },
  })
  await sweepStripeTasks(app.services, new Date())
  expect(app.stripe.calls.at(-1)?.form).toMatchObject({ payment_intent: gift.paid.intent })
})

test('visitors can neither buy nor redeem gifts; members see only their own gifts', async () => {
  const { code } = await buy()
  const other = await app.makePerson()
  expect(await giftsOf(other)).toEqual([])
  expect((await app.nobody.call(buyGift, { body: wish })).status).toBe(401)
  expect((await app.nobody.call(redeemGift, { body: { code } })).status).toBe(401)
})
