import { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateSettings } from '#contract/admin/admin-settings.ts'
import { getProfile } from '#contract/profiles.ts'
import {
  checkoutEvent,
  invoiceEvent,
  subscriptionEvent,
  testPrices,
  sellingSettings,
} from '../../../testing/stripe/stripe-payloads.ts'
import { createTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { expireSubscriptions } from '../expire-subscriptions.ts'

const secret = 'whsec_of_the_tests'
const day = 86_400
const webhook = '/api/billing-webhook'

let app: TestApp
let admin: Person
const nowSeconds = () => Math.floor(Date.now() / 1000)

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  await admin.call(updateSettings, {
    body: {
      action: 'update',
      settings: sellingSettings(secret),
    },
  })
})

afterAll(() => app.close())

function sign(payload: string, options: { timestamp?: number; secret?: string } = {}): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, ...options })
}

/** Delivers an event as Stripe does: raw bytes with a signature. */
function deliver(event: object | string, signature?: string) {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signature ?? sign(body),
  }
  return app.nobody.send('POST', webhook, { body, headers })
}

let purchases = 0

/** Creates a buyer and the ids that Stripe assigns to the purchase. */
async function makeBuyer() {
  const number = ++purchases
  const person = await app.services.db.query
    .insertInto('profiles')
    .values({ email: `buyer-${number}@velour.test` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ids = { subscription: `sub_${number}`, customer: `cus_${number}`, userId: person.id }
  return { person, ids }
}

type Buyer = Awaited<ReturnType<typeof makeBuyer>>['person']

async function planOf(person: Buyer) {
  return app.services.db.query
    .selectFrom('profiles')
    .select([
      'subscription_tier as tier',
      'subscription_status as status',
      'subscription_ends_at as ends_at',
    ])
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const paymentsOf = (person: Buyer) =>
  app.services.db.query
    .selectFrom('payments')
    .selectAll()
    .where('user_id', '=', person.id)
    .execute()

test('the checkout, subscription and invoice events of a purchase grant Premium until the end of the paid period', async () => {
  const { person, ids } = await makeBuyer()
  const created = nowSeconds() - 10
  const periodEnd = created + 365 * day
  const yearly = { ...ids, price: testPrices.yearly, interval: 'year', periodEnd }
  const events = [
    subscriptionEvent('created', { ...yearly, created, status: 'incomplete' }),
    invoiceEvent('invoice.paid', { ...yearly, created, invoice: 'in_first', amount: 9999 }),
    subscriptionEvent('updated', { ...yearly, created, previousStatus: 'incomplete' }),
    checkoutEvent({ ...ids, created: created + 1, plan: 'yearly' }),
  ]
  for (const event of events) {
    const answer = await deliver(event)
    expect(answer).toMatchObject({ status: 200, body: { received: true, is_simulated: false } })
  }
  expect(await planOf(person)).toEqual({
    tier: 'yearly',
    status: 'active',
    ends_at: iso(periodEnd),
  })
  const row = await app.services.db.query
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    is_manual: false,
    payment_method: 'stripe',
    stripe_customer_id: ids.customer,
    stripe_subscription_id: ids.subscription,
  })
  expect(await paymentsOf(person)).toMatchObject([
    {
      amount_cents: 9999,
      currency: 'usd',
      tier: 'yearly',
      payment_method: 'stripe',
      is_simulated: false,
    },
  ])
})

test("notifies the member's open session about the purchase", async () => {
  const member = await app.makePerson()
  const isPremium = async () => (await member.call(getProfile, {})).body.data?.is_premium
  expect(await isPremium()).toBe(false)
  await deliver(
    checkoutEvent({
      subscription: 'sub_open',
      customer: 'cus_open',
      userId: member.id,
      created: nowSeconds(),
    }),
  )
  await expect.poll(isPremium, { timeout: 1000, interval: 10 }).toBe(true)
})

test('the events of a purchase give the same result in any order', async () => {
  const created = nowSeconds() - 60
  const build = (ids: { subscription: string; customer: string; userId: string }) => [
    checkoutEvent({ ...ids, created: created + 1 }),
    subscriptionEvent('created', { ...ids, created, status: 'incomplete' }),
    subscriptionEvent('updated', { ...ids, created, previousStatus: 'incomplete' }),
    subscriptionEvent('deleted', { ...ids, created: created + 20, endedAt: created + 20 }),
  ]
  for (const order of permutations([0, 1, 2, 3])) {
    const { person, ids } = await makeBuyer()
    const events = build(ids)
    for (const index of order) await deliver(events[index] ?? {})
    const end = { tier: 'monthly', status: 'canceled', ends_at: iso(created + 20) }
    expect([order, await planOf(person)]).toEqual([order, end])
  }
})

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  )
}

test('the later of two changes within one second takes effect, regardless of the order of arrival', async () => {
  const created = nowSeconds() - 60
  for (const reversed of [false, true]) {
    const { person, ids } = await makeBuyer()
    await deliver(subscriptionEvent('created', { ...ids, created: created - 5 }))
    const changes = [
      subscriptionEvent('updated', {
        ...ids,
        created,
        status: 'past_due',
        previousStatus: 'active',
      }),
      subscriptionEvent('updated', {
        ...ids,
        created,
        status: 'unpaid',
        previousStatus: 'past_due',
      }),
    ]
    for (const change of reversed ? changes.toReversed() : changes) await deliver(change)
    expect((await planOf(person)).status).toBe('inactive')
  }
})

test('an event sent twice, even concurrently, is applied once', async () => {
  const { person, ids } = await makeBuyer()
  const created = nowSeconds() - 5
  const paid = invoiceEvent('invoice.paid', { ...ids, created, invoice: 'in_twice' })
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => deliver(paid)))
  const outcomes = answers.map(({ body }) => (body as { outcome: string }).outcome)
  expect(outcomes.toSorted()).toEqual([
    'applied',
    'duplicate',
    'duplicate',
    'duplicate',
    'duplicate',
  ])
  // Another event about the same invoice does not add a second payment to the ledger.
  await deliver(invoiceEvent('invoice.paid', { ...ids, created: created + 1, invoice: 'in_twice' }))
  expect(await paymentsOf(person)).toHaveLength(1)
})

test('a repeated event does not grant Premium again after it was revoked', async () => {
  const { person, ids } = await makeBuyer()
  const created = nowSeconds() - 100
  const bought = subscriptionEvent('created', { ...ids, created })
  await deliver(bought)
  await deliver(subscriptionEvent('deleted', { ...ids, created: created + 50 }))
  expect((await deliver(bought)).body).toMatchObject({ outcome: 'duplicate' })
  const again = subscriptionEvent('updated', { ...ids, created: created + 49 })
  expect((await deliver(again)).body).toMatchObject({ outcome: 'outdated' })
  expect((await planOf(person)).status).toBe('canceled')
})

test('events without a valid Stripe signature change nothing', async () => {
  const { person, ids } = await makeBuyer()
  const body = JSON.stringify(subscriptionEvent('created', { ...ids, created: nowSeconds() }))
  const tampered = body.replace('price_month', 'price_year')
  const refusals = [
    await deliver(tampered, sign(body)),
    await deliver(`${body} `, sign(body)),
    await deliver(body, sign(body, { secret: 'whsec_of_somebody_else' })),
    await deliver(body, sign(body, { timestamp: nowSeconds() - 301 })),
    await deliver(body, 't=1,v1=00'),
    await deliver(body, ''),
    await deliver('{"half":', sign('{"half":')),
    await deliver('[]', sign('[]')),
    await deliver('{}', sign('{}')),
  ]
  for (const { status, code } of refusals) expect([status, code]).toEqual([400, expect.any(String)])
  expect(refusals.slice(0, 7).map(({ code }) => code)).toEqual(Array(7).fill('webhook_invalid'))
  expect((await planOf(person)).status).toBe('inactive')
  expect((await deliver(body)).body).toMatchObject({ outcome: 'applied' })
})

test('rejects every signature when the webhook secret is empty, even one made with the empty secret', async () => {
  const settings = app.services.db.query.updateTable('settings')
  const sealed = app.services.secretBox.seal(secret)
  await settings.set({ stripe_webhook_secret: '' }).execute()
  const body = JSON.stringify(
    subscriptionEvent('created', {
      subscription: 'sub_x',
      customer: 'cus_x',
      created: nowSeconds(),
    }),
  )
  const answers = [await deliver(body, sign(body)), await deliver(body, 't=1,v1=')]
  await settings.set({ stripe_webhook_secret: sealed }).execute()
  expect(answers.map(({ code }) => code)).toEqual(['webhook_invalid', 'webhook_invalid'])
})

test('a failed renewal starts the grace period, after which Premium ends; a payment restores Premium', async () => {
  const { person, ids } = await makeBuyer()
  const start = nowSeconds() - 31 * day
  const renewal = start + 30 * day
  await deliver(subscriptionEvent('created', { ...ids, created: start, periodEnd: renewal }))
  const failed = {
    ...ids,
    created: renewal + 3600,
    periodStart: renewal,
    periodEnd: renewal + 30 * day,
  }
  await deliver(subscriptionEvent('updated', { ...failed, created: renewal, status: 'active' }))
  await deliver(invoiceEvent('invoice.payment_failed', { ...failed, invoice: 'in_late' }))
  expect(await planOf(person)).toMatchObject({ status: 'active', ends_at: iso(renewal) })

  const { db } = app.services
  await expireSubscriptions(db, new Date())
  expect((await planOf(person)).status).toBe('active')
  await expireSubscriptions(db, new Date((renewal + 7 * day) * 1000 - 1))
  expect((await planOf(person)).status).toBe('active')
  await expireSubscriptions(db, new Date((renewal + 7 * day) * 1000))
  expect((await planOf(person)).status).toBe('inactive')

  const paid = { ...failed, created: renewal + 7200, invoice: 'in_late' }
  await deliver(invoiceEvent('invoice.paid', paid))
  expect(await planOf(person)).toMatchObject({ status: 'active', ends_at: iso(renewal + 30 * day) })
})

test('a canceled subscription runs until its end date, without a grace period', async () => {
  const { person, ids } = await makeBuyer()
  const created = nowSeconds() - 29 * day
  await deliver(subscriptionEvent('created', { ...ids, created }))
  await deliver(
    subscriptionEvent('updated', {
      ...ids,
      created: created + 60,
      periodEnd: created + 30 * day,
      cancelAtPeriodEnd: true,
    }),
  )
  const { db } = app.services
  await expireSubscriptions(db, new Date((created + 30 * day) * 1000 - 1))
  expect((await planOf(person)).status).toBe('active')
  await expireSubscriptions(db, new Date((created + 30 * day) * 1000))
  expect((await planOf(person)).status).toBe('inactive')
})

test('a trial grants Premium until it ends, and its zero invoice is not a payment', async () => {
  const { person, ids } = await makeBuyer()
  const created = nowSeconds()
  const trialEnd = created + 7 * day
  await deliver(subscriptionEvent('created', { ...ids, created, status: 'trialing', trialEnd }))
  await deliver(invoiceEvent('invoice.paid', { ...ids, created, invoice: 'in_trial', amount: 0 }))
  expect(await planOf(person)).toMatchObject({ status: 'active', ends_at: iso(trialEnd) })
  expect(await paymentsOf(person)).toEqual([])
})

test('the end of an old subscription does not end Premium from a new subscription', async () => {
  const { person, ids } = await makeBuyer()
  const old = { ...ids, subscription: `${ids.subscription}_old` }
  const created = nowSeconds() - 1000
  await deliver(subscriptionEvent('created', { ...old, created }))
  await deliver(subscriptionEvent('created', { ...ids, created: created + 500 }))
  await deliver(subscriptionEvent('deleted', { ...old, created: created + 900 }))
  expect((await planOf(person)).status).toBe('active')
})

test('the end of a Stripe subscription does not end a plan given by an admin', async () => {
  const { person, ids } = await makeBuyer()
  await app.services.db.query
    .updateTable('profiles')
    .set({ subscription_tier: 'lifetime', subscription_status: 'active' })
    .where('id', '=', person.id)
    .execute()
  await deliver(subscriptionEvent('deleted', { ...ids, created: nowSeconds() }))
  expect(await planOf(person)).toMatchObject({ tier: 'lifetime', status: 'active' })
})

test("ignores events about the owner's other products and events of unknown types", async () => {
  const other = subscriptionEvent('created', {
    subscription: 'sub_other',
    customer: 'cus_other',
    price: 'price_of_a_mug',
    created: nowSeconds(),
  })
  expect((await deliver(other)).body).toMatchObject({ outcome: 'ignored' })
  const rows = app.services.db.query
    .selectFrom('stripe_subscriptions')
    .where('id', '=', 'sub_other')
  expect(await rows.selectAll().execute()).toEqual([])
  const unknown = { ...other, id: 'evt_unknown', type: 'customer.created' }
  expect((await deliver(unknown)).body).toMatchObject({ outcome: 'ignored' })
})

test('if applying an event fails, the event is not recorded as received', async () => {
  const { person, ids } = await makeBuyer()
  const bought = subscriptionEvent('created', { ...ids, created: nowSeconds() })
  await app.asOwner(`create function refuse_facts() returns trigger language plpgsql as
    $$ begin raise exception 'no'; end $$;
    create trigger refuse_facts before insert on subscriptions
    for each row execute function refuse_facts()`)
  const failed = await deliver(bought)
  await app.asOwner('drop function refuse_facts cascade')
  expect([failed.status, failed.code]).toEqual([500, 'internal'])
  expect((await planOf(person)).status).toBe('inactive')
  // When Stripe resends the event, it is applied.
  expect((await deliver(bought)).body).toMatchObject({ outcome: 'applied' })
  expect((await planOf(person)).status).toBe('active')
})

test("Webhook Test applies an admin's unsigned event with the same effect, and marks it as simulated", async () => {
  const { person, ids } = await makeBuyer()
  const created = nowSeconds()
  const bought = subscriptionEvent('created', { ...ids, created, id: 'evt_shared' })
  const answer = await admin.send('POST', webhook, { body: bought })
  expect(answer.body).toEqual({ received: true, outcome: 'applied', is_simulated: true })
  expect(await planOf(person)).toMatchObject({ tier: 'monthly', status: 'active' })
  await admin.send('POST', webhook, {
    body: invoiceEvent('invoice.paid', { ...ids, created, invoice: 'in_simulated' }),
  })
  expect(await paymentsOf(person)).toMatchObject([{ is_simulated: true }])
  const entries = await app.services.db.query
    .selectFrom('audit_log')
    .select(['actor_id', 'after'])
    .where('action', '=', 'simulate')
    .where('entity_id', '=', person.id)
    .execute()
  expect(entries).toHaveLength(2)
  expect(entries[0]).toMatchObject({
    actor_id: admin.id,
    after: { event_id: 'evt_shared', outcome: 'applied', is_simulated: true },
  })
  // A real event with the id of a simulated event is still applied, and takes precedence.
  expect((await deliver(bought)).body).toMatchObject({ outcome: 'applied', is_simulated: false })
})

test('accepts unsigned events only from admins, and never in cross-site requests', async () => {
  const { person, ids } = await makeBuyer()
  const member = await app.makePerson()
  const body = subscriptionEvent('created', { ...ids, created: nowSeconds() })
  expect((await app.nobody.send('POST', webhook, { body })).code).toBe('unauthenticated')
  expect((await member.send('POST', webhook, { body })).code).toBe('forbidden')
  const headers = { origin: 'https://elsewhere.test' }
  expect((await admin.send('POST', webhook, { body, headers })).code).toBe('foreign_origin')
  expect((await admin.send('POST', webhook, { body: { id: 1 } })).code).toBe('webhook_invalid')
  expect((await planOf(person)).status).toBe('inactive')
})
