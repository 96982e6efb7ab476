// Tests hostile and malformed billing requests and unusual orders of events.
import { Writable } from 'node:stream'
import pino from 'pino'
import { Stripe } from 'stripe'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSettings } from '#contract/admin/admin-settings.ts'
import { createApp } from '../../app.ts'
import {
  invoiceEvent,
  sellingSettings,
  subscriptionEvent,
} from '../../testing/stripe/stripe-payloads.ts'
import { createStripeApp, webhookSecret, type StripeApp } from '../../testing/stripe/stripe-app.ts'
import { expireSubscriptions } from './expire-subscriptions.ts'

let app: StripeApp
beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())

const now = Math.floor(Date.now() / 1000)
const post = (body: unknown) => app.admin.send('POST', '/api/admin-billing', { body })
const unknown = '0191a0c0-0000-7000-8000-0000000000aa'

async function countRows(): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*) from payments) as payments, (select count(*) from audit_log) as audit,
           (select count(*) from billing_events) as events`.execute(app.services.db.query)
  return rows[0]
}

test('record_payment and list_payments reject invalid input and write nothing', async () => {
  const { id: user_id } = await app.makeBuyer()
  const entry = {
    action: 'record_payment',
    user_id,
    kind: 'payment',
    amount_cents: 999,
    payment_method: 'cash',
  }
  const before = await countRows()
  const wrong: [object, string][] = [
    ...[0, -1, 1.5, 1e9, 1e300, '999', null, [], {}, 'NaN', '1; drop table payments'].map(
      (amount_cents): [object, string] => [{ ...entry, amount_cents }, 'invalid_input'],
    ),
    ...['gift', '', null, 'PAYMENT', '__proto__'].map((kind): [object, string] => [
      { ...entry, kind },
      'invalid_input',
    ]),
    ...['stripe', 'gold', '', null, ['cash']].map((payment_method): [object, string] => [
      { ...entry, payment_method },
      'invalid_input',
    ]),
    ...['', '1', null, "x' or 1=1 --", `${user_id}\0`, [user_id]].flatMap(
      (wrongId): [object, string][] => [
        [{ ...entry, user_id: wrongId }, 'invalid_input'],
        [{ action: 'list_payments', user_id: wrongId }, 'invalid_input'],
      ],
    ),
    [{ ...entry, kind: 'correction', amount_cents: 0 }, 'invalid_input'],
    [{ ...entry, kind: 'refund' }, 'refund_too_large'],
    [{ ...entry, user_id: unknown }, 'user_not_found'],
    [{ action: 'list_payments', user_id: unknown }, 'user_not_found'],
    [{ action: 'list_payments' }, 'invalid_input'],
    [{ ...entry, action: 'delete_payment' }, 'invalid_input'],
  ]
  for (const [body, code] of wrong) {
    expect((await post(body)).code, JSON.stringify(body)).toBe(code)
  }
  expect(await countRows()).toEqual(before)
})

test('concurrent refunds never exceed the paid amount', async () => {
  const { id: user_id } = await app.makeBuyer()
  const entry = { action: 'record_payment', user_id, amount_cents: 1000, payment_method: 'cash' }
  await post({ ...entry, kind: 'payment' })
  const refund = { ...entry, kind: 'refund', amount_cents: 400 }
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => post(refund)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect((await app.ledgerOf(user_id)).reduce((sum, [, cents]) => sum + cents, 0)).toBe(200)
})

test('rejects an oversized event before reading its body, signed or not', async () => {
  const before = await countRows()
  const payload = JSON.stringify({
    ...subscriptionEvent('created', { subscription: 'sub_h', customer: 'cus_h', created: now }),
    padding: 'x'.repeat(1_100_000),
  })
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
  const signed: Record<string, string>[] = [{}, { 'stripe-signature': signature }]
  for (const headers of signed) {
    const answer = await app.admin.send('POST', '/api/billing-webhook', {
      body: payload,
      headers: { 'content-type': 'application/json', ...headers },
    })
    expect([answer.status, answer.code]).toEqual([413, expect.any(String)])
  }
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const headers = { 'content-type': 'application/json' }
  const answer = await app.admin.send('POST', '/api/billing-webhook', { body: deep, headers })
  expect(answer.status).toBe(400)
  expect(await countRows()).toEqual(before)
})

test("Stripe's status 'unpaid' ends Premium immediately, and a late payment restores Premium", async () => {
  const { id, ids } = await app.makeBuyer()
  const created = now - 1000
  await app.deliver(subscriptionEvent('created', { ...ids, created }))
  await app.deliver(
    subscriptionEvent('updated', {
      ...ids,
      created: created + 10,
      status: 'unpaid',
      previousStatus: 'active',
    }),
  )
  expect(await app.subscriptionOf(id)).toMatchObject({ status: 'inactive', is_billed: true })
  await app.deliver(
    invoiceEvent('invoice.paid', { ...ids, created: created + 20, invoice: 'in_unpaid' }),
  )
  expect((await app.subscriptionOf(id))?.status).toBe('active')
})

test('a subscription canceled at the end of its period keeps Premium until then, and can be resumed', async () => {
  const { id, ids } = await app.makeBuyer()
  const created = now - 29 * 86_400
  const period = { ...ids, periodStart: created, periodEnd: created + 30 * 86_400 }
  await app.deliver(subscriptionEvent('created', { ...period, created }))
  await app.deliver(
    subscriptionEvent('updated', { ...period, created: created + 1, cancelAtPeriodEnd: true }),
  )
  expect(await app.subscriptionOf(id)).toMatchObject({ tier: 'monthly', status: 'active' })
  await app.deliver(subscriptionEvent('updated', { ...period, created: created + 2 }))
  // After the subscription is resumed, a late renewal gets the grace period.
  const { db } = app.services
  await expireSubscriptions(db, new Date((period.periodEnd + 60) * 1000))
  expect((await app.subscriptionOf(id))?.status).toBe('active')
  await app.deliver(
    subscriptionEvent('updated', { ...period, created: created + 3, cancelAtPeriodEnd: true }),
  )
  await expireSubscriptions(db, new Date((period.periodEnd + 60) * 1000))
  expect((await app.subscriptionOf(id))?.status).toBe('inactive')
})

test('the webhook secret appears in no response, log line, audit entry or row', async () => {
  const lines: string[] = []
  const sink = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  const logged = await createApp(app.services, {
    log: pino({ level: 'trace' }, sink),
    webFolder: null,
  })
  const answers: string[] = []
  const payload = '{"id":'
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
  const settings = sellingSettings(webhookSecret)
  const headers = { cookie: app.admin.cookie, 'content-type': 'application/json' }
  const send = async (url: string, body: string, more: Record<string, string> = {}) =>
    answers.push(
      (
        await logged.inject({
          method: 'POST',
          url,
          payload: body,
          headers: { ...headers, ...more },
        })
      ).body,
    )
  await send('/api/admin-settings', JSON.stringify({ action: 'update', settings }))
  await send(
    '/api/admin-settings',
    JSON.stringify({ action: 'update', settings: { ...settings, pricing_monthly_cents: -1 } }),
  )
  await send('/api/admin-settings', `{"settings": {"stripe_webhook_secret": "${webhookSecret}"`)
  await send('/api/billing-webhook', payload, { 'stripe-signature': signature })
  await send('/api/billing-webhook', '{}', { 'stripe-signature': `t=1,v1=${'0'.repeat(64)}` })
  answers.push(JSON.stringify(await app.admin.call(getSettings, {})))
  await logged.close()
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('')).not.toContain(webhookSecret)
  expect(answers.join('')).not.toContain(webhookSecret)
  const { rows } = await sql`
    select from audit_log where concat(before, after) like ${`%${webhookSecret}%`}
    union all select from settings where stripe_webhook_secret like ${`%${webhookSecret}%`}`.execute(
    app.services.db.query,
  )
  expect(rows).toEqual([])
})
