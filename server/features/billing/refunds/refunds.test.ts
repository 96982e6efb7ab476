import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import {
  endPersonSubscription,
  listRefunds,
  refundPayment,
} from '#contract/admin/money/admin-refunds.ts'
import { getProfile } from '#contract/profiles.ts'
import { readQueuedMails } from '../../../testing/queued-mails.ts'
import {
  invoiceEvent,
  refundedChargeEvent,
  refundEvent,
  subscriptionEvent,
} from '../../../testing/stripe/stripe-payloads.ts'
import { createStripeApp, type StripeApp } from '../../../testing/stripe/stripe-app.ts'
import { sweepStripeTasks } from '../upkeep/stripe-tasks.ts'

let app: StripeApp
const day = 86_400
const now = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  app = await createStripeApp()
})
beforeEach(() => {
  app.stripe.calls.length = 0
})
afterAll(() => app.close())

let purchases = 0
/** Creates a member who has paid $9.99 through Stripe, with the ledger entry. */
async function makePayer() {
  const member = await app.makePerson()
  const number = ++purchases
  const ids = {
    subscription: `sub_refund_${number}`,
    customer: `cus_refund_${number}`,
    userId: member.id,
    periodStart: now - 10 * day,
    periodEnd: now + 20 * day,
  }
  const invoice = `in_refund_${number}`
  const created = now - 10 * day
  const event = subscriptionEvent('created', { ...ids, created })
  app.stripe.subscriptions.set(ids.subscription, structuredClone(event.data.object))
  app.stripe.paidInvoices.set(invoice, `pi_refund_${number}`)
  await app.deliver(event)
  await app.deliver(invoiceEvent('invoice.paid', { ...ids, created, invoice }))
  const charge = { charge: `ch_refund_${number}`, customer: ids.customer, chargedAt: created }
  return { member, ids, charge, intent: `pi_refund_${number}` }
}
type Payer = Awaited<ReturnType<typeof makePayer>>

const paymentsOf = async ({ member }: Payer) => {
  const body = { action: 'list_payments', user_id: member.id } as const
  return (await app.admin.call(runBillingAction, { body })).body.payments ?? []
}
const paymentOf = async (payer: Payer) =>
  (await paymentsOf(payer)).find(({ kind }) => kind === 'payment')!
async function refund(payer: Payer, amount_cents: number, refunded_cents = 0) {
  const { id: payment_id } = await paymentOf(payer)
  return app.admin.call(refundPayment, {
    body: { payment_id, amount_cents, refunded_cents, reason: 'requested_by_customer' },
  })
}
let minutes = 0
/** Runs the worker. Each call sets a later time, at which every failed attempt is due again. */
const sweep = () => sweepStripeTasks(app.services, new Date(Date.now() + ++minutes * 7 * 3600_000))
const refundsOf = async ({ member }: Payer) =>
  (await app.admin.call(listRefunds, {})).body.data.filter(({ user_id }) => user_id === member.id)

test("refunds a part, then the rest; the ledger is updated by Stripe's events in any order", async () => {
  const payer = await makePayer()
  const first = await refund(payer, 400)
  expect([first.status, first.body]).toMatchObject([
    201,
    { amount_cents: 400, state: 'waiting', email: payer.member.email },
  ])
  expect(await paymentOf(payer)).toMatchObject({ refunded_cents: 400, is_refundable: true })
  expect(await sweep()).toBe(1)
  expect(app.stripe.calls.at(-1)?.form).toMatchObject({
    payment_intent: payer.intent,
    amount: '400',
    reason: 'requested_by_customer',
  })
  expect((await refund(payer, 599, 400)).status).toBe(201)
  expect(await sweep()).toBe(1)
  expect(await sweep()).toBe(0)
  const whole = refundedChargeEvent({ ...payer.charge, created: now, refunded: 999 })
  const part = refundedChargeEvent({ ...payer.charge, created: now - 60, refunded: 400 })
  for (const event of [whole, part, whole]) await app.deliver(event)
  expect(await app.ledgerOf(payer.member.id)).toEqual([
    ['payment', 999],
    ['refund', -999],
  ])
  expect(await paymentOf(payer)).toMatchObject({ refunded_cents: 999 })
  expect((await refund(payer, 1, 999)).code).toBe('refund_too_large')
  expect(await refundsOf(payer)).toEqual([])
})

test('two clicks, or requests from two tabs, create only one refund', async () => {
  const payer = await makePayer()
  const answers = await Promise.all([refund(payer, 300), refund(payer, 300), refund(payer, 300)])
  expect(answers.map(({ code }) => code ?? 'made').toSorted()).toEqual([
    'made',
    'refunded_meanwhile',
    'refunded_meanwhile',
  ])
  await Promise.all([sweep(), sweep()])
  expect(
    app.stripe.refunds.made.filter(({ payment_intent }) => payment_intent === payer.intent),
  ).toHaveLength(1)
})

test("does not refund again when Stripe's response was lost", async () => {
  const payer = await makePayer()
  await refund(payer, 300)
  app.stripe.refunds.loseNextResponse()
  app.stripe.failWith(null)
  await sweep()
  await sweep()
  expect(
    app.stripe.refunds.made.filter(({ payment_intent }) => payment_intent === payer.intent),
  ).toHaveLength(1)
  expect(await refundsOf(payer)).toEqual([])
})

test('shows a refund that Stripe rejects permanently, and leaves the payment unchanged', async () => {
  const payer = await makePayer()
  app.stripe.refunds.errors.set(payer.intent, 'charge_disputed')
  await refund(payer, 300)
  expect(await sweep()).toBe(0)
  expect(await sweep()).toBe(0)
  expect(await refundsOf(payer)).toMatchObject([{ state: 'refused', failure: 'disputed' }])
  expect(await paymentOf(payer)).toMatchObject({ refunded_cents: 0 })
})

test('retries a refund until Stripe is available again', async () => {
  const payer = await makePayer()
  await refund(payer, 300)
  app.stripe.failWith(500)
  expect(await sweep()).toBe(0)
  app.stripe.failWith(null)
  expect(await refundsOf(payer)).toMatchObject([{ state: 'waiting', failure: null }])
  expect(await sweep()).toBe(1)
})

test("shows a refund as rejected when the member's bank returns the money", async () => {
  const payer = await makePayer()
  await refund(payer, 300)
  await sweep()
  const made = app.stripe.refunds.made.at(-1)!
  const about = { charge: payer.charge.charge, refund: made.id, amount: 300 }
  await app.deliver(refundedChargeEvent({ ...payer.charge, created: now - 60, refunded: 300 }))
  await app.deliver(refundEvent('failed', { ...about, created: now }))
  expect(await refundsOf(payer)).toMatchObject([{ state: 'refused', failure: 'bank_refused' }])
  expect(await paymentOf(payer)).toMatchObject({ refunded_cents: 0 })
})

test('rejects refunds of payments that were not made through Stripe', async () => {
  const { id: user_id } = await app.makePerson()
  const cash = { kind: 'payment', amount_cents: 500, payment_method: 'cash' } as const
  const { body } = await app.admin.call(runBillingAction, {
    body: { action: 'record_payment', user_id, ...cash },
  })
  const payment = body.payments![0]!
  expect(payment.is_refundable).toBe(false)
  const ask = (payment_id: string) =>
    app.admin.call(refundPayment, {
      body: { payment_id, amount_cents: 1, refunded_cents: 0, reason: 'duplicate' },
    })
  expect((await ask(payment.id)).code).toBe('not_refundable')
  expect((await ask(user_id)).code).toBe('payment_not_found')
})

test('members cannot refund payments', async () => {
  const payer = await makePayer()
  const { id: payment_id } = await paymentOf(payer)
  const { code } = await payer.member.call(refundPayment, {
    body: { payment_id, amount_cents: 1, refunded_cents: 0, reason: 'duplicate' },
  })
  expect(code).toBe('forbidden')
  const end = { params: { id: payer.member.id }, body: { when: 'now' as const } }
  expect((await payer.member.call(endPersonSubscription, end)).code).toBe('forbidden')
})

test.each(['now', 'period_end'] as const)(
  "an admin can cancel a member's subscription (%s)",
  async (when) => {
    const payer = await makePayer()
    const params = { id: payer.member.id }
    const end = () => app.admin.call(endPersonSubscription, { params, body: { when } })
    expect((await end()).status).toBe(204)
    const { data } = (await payer.member.call(getProfile, {})).body
    expect(data?.is_premium).toBe(when === 'period_end')
    const object = app.stripe.subscriptions.get(payer.ids.subscription)
    const event = subscriptionEvent(when === 'now' ? 'deleted' : 'updated', {
      ...payer.ids,
      created: now,
    })
    await app.deliver({ ...event, data: { object } })
    const mails = (await readQueuedMails(app)).filter(({ to }) => to === payer.member.email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your Velour receipt',
      when === 'now' ? 'Your Velour Premium has ended' : 'Your Velour Premium is canceled',
    ])
  },
)

test("returns 'no_subscription' when an admin cancels and the member has no subscription", async () => {
  const { id } = await app.makePerson()
  const { code } = await app.admin.call(endPersonSubscription, {
    params: { id },
    body: { when: 'now' },
  })
  expect(code).toBe('no_subscription')
})
