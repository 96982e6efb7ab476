import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  chargeObject,
  disputeEvent,
  invoiceEvent,
  refundedChargeEvent,
  refundEvent,
} from '../../testing/stripe/stripe-payloads.ts'
import { transaction } from '../../platform/db/database.ts'
import { createStripeApp, type StripeApp } from '../../testing/stripe/stripe-app.ts'

let app: StripeApp
beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())

const now = Math.floor(Date.now() / 1000)
let charges = 0

async function netOf(userId: string): Promise<number> {
  return (await app.ledgerOf(userId)).reduce((sum, [, cents]) => sum + cents, 0)
}

function orders<T>(items: T[]): T[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

test('refund events add up to the same sum in any order, even if they arrive before the payment or twice', async () => {
  for (const order of orders([0, 1, 2, 3])) {
    const { id, ids } = await app.makeBuyer()
    const charge = `ch_${++charges}`
    const about = { charge, customer: ids.customer, chargedAt: now - 50 }
    const events = [
      invoiceEvent('invoice.paid', { ...ids, created: now - 50, invoice: `in_${charges}` }),
      refundedChargeEvent({ ...about, created: now - 30, refunded: 300 }),
      refundEvent('created', { charge, created: now - 30, refund: `re_${charges}`, amount: 300 }),
      refundedChargeEvent({ ...about, created: now - 20, refunded: 500 }),
    ]
    for (const at of [...order, ...order]) await app.deliver(events[at] ?? {})
    expect([order, await netOf(id)]).toEqual([order, 999 - 500])
  }
})

test('records a refund that arrives concurrently with its payment', async () => {
  const { id, ids } = await app.makeBuyer()
  const { db } = app.services
  const charge = `ch_${++charges}`
  const invoice = { ...ids, created: now, invoice: `in_${charges}` }
  const waiters = async () => {
    const { rows } = await sql<{ query: string }>`
      select query from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0`.execute(db.query)
    return rows.length
  }
  const answers = await transaction(db, async (trx) => {
    // This lock blocks the payment's transaction after the insert and before the commit.
    await sql`select from profiles where id = ${id} for key share`.execute(trx.query)
    const paid = app.deliver(invoiceEvent('invoice.paid', invoice))
    await expect.poll(waiters, { interval: 10 }).toBe(1)
    let isAnswered = false
    const refunded = app
      .deliver(refundedChargeEvent({ charge, customer: ids.customer, created: now, refunded: 300 }))
      .finally(() => (isAnswered = true))
    await expect
      .poll(async () => isAnswered || (await waiters()) === 2, { interval: 10 })
      .toBe(true)
    return [paid, refunded]
  })
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  expect(await netOf(id)).toBe(999 - 300)
})

test('a refund that fails later is reversed in the ledger, whichever event arrives first', async () => {
  for (const order of orders([0, 1, 2])) {
    const { id, ids } = await app.makeBuyer()
    const charge = `ch_${++charges}`
    await app.deliver(
      invoiceEvent('invoice.paid', { ...ids, created: now, invoice: `in_${charges}` }),
    )
    const refund = { charge, created: now + 5, refund: `re_${charges}`, amount: 999 }
    const events = [
      refundedChargeEvent({ charge, customer: ids.customer, created: now + 5, refunded: 999 }),
      refundEvent('created', refund),
      refundEvent('failed', { ...refund, created: now + 60 }),
    ]
    for (const at of order) await app.deliver(events[at] ?? {})
    expect([order, await netOf(id)]).toEqual([order, 999])
  }
})

test('reads the invoice from events of older API versions; refunds never exceed the paid amount', async () => {
  const { id, ids } = await app.makeBuyer()
  await app.deliver(invoiceEvent('invoice.paid', { ...ids, created: now, invoice: 'in_named' }))
  const charge = { charge: 'ch_named', customer: ids.customer, invoice: 'in_named', created: now }
  const answer = await app.deliver(refundedChargeEvent({ ...charge, refunded: 5000 }))
  expect(answer.body).toMatchObject({ outcome: 'applied' })
  expect(await app.ledgerOf(id)).toEqual([
    ['payment', 999],
    ['refund', -999],
  ])
})

/** Creates a charge of $9.99, and makes Stripe's API return its customer. */
async function makeCharged(chargedAt = now - 500) {
  const { id, ids } = await app.makeBuyer()
  const charge = `ch_${++charges}`
  await app.deliver(
    invoiceEvent('invoice.paid', { ...ids, created: chargedAt, invoice: `in_${charges}` }),
  )
  const about = { charge, customer: ids.customer, chargedAt }
  app.stripe.charges.set(charge, chargeObject({ ...about, created: chargedAt, refunded: 0 }))
  return { id, about, dispute: { charge, dispute: `dp_${charges}`, amount: 999 } }
}

test('a dispute reverses the payment in the ledger, and winning it restores the payment', async () => {
  for (const [end, left] of [
    ['won', 999],
    ['lost', 0],
  ] as const) {
    for (const order of orders([0, 1, 2])) {
      const { id, dispute } = await makeCharged()
      const events = [
        disputeEvent('created', { ...dispute, created: now - 90, status: 'needs_response' }),
        disputeEvent('updated', { ...dispute, created: now - 80, status: 'under_review' }),
        disputeEvent('closed', { ...dispute, created: now - 70, status: end }),
      ]
      for (const at of [...order, ...order]) await app.deliver(events[at] ?? {})
      expect([end, order, await netOf(id)]).toEqual([end, order, left])
    }
  }
})

test('an inquiry reverses nothing; a dispute after a refund reverses at most the remaining amount', async () => {
  const asked = await makeCharged()
  const inquiry = { ...asked.dispute, created: now - 90, status: 'warning_needs_response' }
  await app.deliver(disputeEvent('created', inquiry))
  expect(await netOf(asked.id)).toBe(999)
  const taken = { ...inquiry, created: now - 80, status: 'needs_response' }
  await app.deliver(disputeEvent('funds_withdrawn', taken))
  expect(await netOf(asked.id)).toBe(0)

  const refunded = await makeCharged()
  await app.deliver(refundedChargeEvent({ ...refunded.about, created: now - 90, refunded: 300 }))
  const rest = { ...refunded.dispute, created: now - 80, status: 'needs_response' }
  await app.deliver(disputeEvent('created', rest))
  expect(await netOf(refunded.id)).toBe(0)
  await app.deliver(disputeEvent('closed', { ...rest, created: now - 70, status: 'won' }))
  expect(await netOf(refunded.id)).toBe(699)
})

test('rejects a dispute event while Stripe does not return the charge, and applies the event when it is resent', async () => {
  const { id, dispute } = await makeCharged()
  const event = disputeEvent('created', { ...dispute, created: now, status: 'needs_response' })
  app.stripe.failWith(500)
  expect((await app.deliver(event)).code).toBe('stripe_failed')
  app.stripe.failWith(null)
  expect(await netOf(id)).toBe(999)
  expect((await app.deliver(event)).body).toMatchObject({ outcome: 'applied' })
  expect(await netOf(id)).toBe(0)
})

test("ignores refunds of the owner's other products", async () => {
  const { id, ids } = await app.makeBuyer()
  await app.deliver(invoiceEvent('invoice.paid', { ...ids, created: now, invoice: 'in_music' }))
  const otherProduct = { charge: 'ch_mug', customer: ids.customer, created: now, amount: 1500 }
  const answer = await app.deliver(refundedChargeEvent({ ...otherProduct, refunded: 1500 }))
  expect(answer.body).toMatchObject({ outcome: 'ignored' })
  expect(await netOf(id)).toBe(999)
})

test('a simulated refund does not reverse a real payment', async () => {
  const { id, ids } = await app.makeBuyer()
  await app.deliver(invoiceEvent('invoice.paid', { ...ids, created: now, invoice: 'in_real' }))
  const body = refundedChargeEvent({
    charge: 'ch_tried',
    customer: ids.customer,
    created: now,
    refunded: 999,
  })
  const answer = await app.admin.send('POST', '/api/billing-webhook', { body })
  expect(answer.body).toMatchObject({ outcome: 'ignored', is_simulated: true })
  expect(await netOf(id)).toBe(999)
})

test.each([
  'update payments set amount_cents = 1',
  'delete from payments',
  'truncate payments',
  'select id from payments for update',
  'alter table payments disable trigger all',
  'drop trigger payments_append_only on payments',
])("the server's database role cannot change the ledger: %s", async (statement) => {
  const refused = /permission denied|must be owner/
  await expect(sql.raw(statement).execute(app.services.db.query)).rejects.toThrow(refused)
})

test('even the database role that owns the tables cannot update or delete ledger entries', async () => {
  const { id, ids } = await app.makeBuyer()
  await app.deliver(invoiceEvent('invoice.paid', { ...ids, created: now, invoice: 'in_kept' }))
  const changes = [
    'update payments set amount_cents = 1',
    'delete from payments',
    'truncate payments',
  ]
  for (const change of changes) await expect(app.asOwner(change)).rejects.toThrow(/append-only/)
  expect(await netOf(id)).toBe(999)
})
