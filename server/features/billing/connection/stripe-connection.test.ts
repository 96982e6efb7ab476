// Tests connecting Stripe in the back office while the service is running.
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/admin/money/admin-stripe.ts'
import { getPrices, setPrices } from '#contract/admin/money/admin-prices.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import { listPlans, startCheckout } from '#contract/billing.ts'
import { startFakeStripe, type FakeStripe } from '../../../testing/stripe/fake-stripe.ts'
import { sellingSettings, subscriptionEvent } from '../../../testing/stripe/stripe-payloads.ts'
import { createTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { handledEvents } from './handled-events.ts'

const key = 'sk_test_firstKeyOfTheOwner1111'
const restricted = 'rk_test_restrictedKey2222'
const otherKey = 'sk_live_keyOfAnotherAccount3333'
const publicUrl = 'https://night.example'
const webhook = `${publicUrl}/api/billing-webhook`

const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })

let stripe: FakeStripe
let app: TestApp
let admin: Person

async function open(config: Parameters<typeof createTestApp>[0] = {}) {
  stripe = await startFakeStripe()
  app = await createTestApp({ publicUrl, stripeApiUrl: stripe.url, ...config }, { log })
  admin = await app.makePerson({ role: 'admin' })
}
beforeEach(() => open())
afterEach(async () => {
  await app.close()
  await stripe.close()
  logged.length = 0
})

const set = (wanted: string, other_account?: boolean) =>
  admin.call(contract.setStripeKey, {
    body: { key: wanted, ...(other_account !== undefined && { other_account }) },
  })
const get = async () => (await admin.call(contract.getStripeConnection, {})).body
const check = (wanted?: string) =>
  admin.call(contract.checkStripeKey, { body: wanted === undefined ? {} : { key: wanted } })
const connect = () => admin.call(contract.connectStripeWebhook, {})
const remove = () => admin.call(contract.removeStripeKey, {})
const settings = async () => (await admin.call(getSettings, {})).body
const isLive = async () => (await app.nobody.call(listPlans, {})).body.is_purchase_live
const terms = {
  currency: 'eur',
  monthly_cents: 900,
  yearly_cents: 9000,
  effective_on: null,
} as const

async function sell() {
  expect((await set(key)).status).toBe(200)
  expect((await admin.call(setPrices, { body: terms })).body.made?.state).toBe('made')
}

async function saveSecret(stripe_webhook_secret: string) {
  const { body } = await admin.call(getSettings, {})
  const changed = { ...body, stripe_webhook_secret }
  const saved = await admin.call(updateSettings, { body: { action: 'update', settings: changed } })
  expect(saved.status).toBe(200)
}

test('checks a key, stores it encrypted and uses it immediately', async () => {
  expect(await get()).toMatchObject({
    key_source: 'none',
    webhook: { state: 'none', url: webhook },
  })
  expect((await admin.call(getPrices, {})).body.is_configured).toBe(false)
  expect((await check(key)).body).toMatchObject({
    account_name: 'Night Records',
    account_id: 'acct_first',
    is_live: false,
    last4: '1111',
    change: 'first',
    missing_rights: [],
  })
  expect(await get()).toMatchObject({ key_source: 'none' })

  const saved = await set(key)
  expect(saved.body).toMatchObject({
    key_source: 'saved',
    account_name: 'Night Records',
    last4: '1111',
    is_live: false,
    webhook: { state: 'connected', failure: null },
  })
  expect(await isLive()).toBe(false)
  await admin.call(setPrices, { body: terms })
  expect(await isLive()).toBe(true)
  const member = await app.makePerson({})
  const page = await member.call(startCheckout, { body: { plan: 'monthly' } })
  expect(page.body.url).toMatch(/^https:\/\/checkout\.stripe\.com/)
  expect(new Set(stripe.calls.map(({ authorization }) => authorization))).toEqual(
    new Set([`Bearer ${key}`]),
  )
})

test('exposes the key in no response, audit entry or log line', async () => {
  await set(key)
  stripe.accounts.revoked.add(otherKey)
  await set(otherKey)
  stripe.failWith(500)
  await check(key)
  stripe.failWith(null)
  await admin.send('PUT', '/api/admin-stripe/key', { body: { key, other_account: 'no' } })
  const shown = JSON.stringify([await get(), await settings()])
  const audit = await app.services.db.query.selectFrom('audit_log').selectAll().execute()
  const row = await app.services.db.query
    .selectFrom('stripe_connection')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(row.key_sealed).toMatch(/^v1\./)
  const all = JSON.stringify([audit, row, logged]) + shown
  for (const secret of [key, otherKey, 'whsec_made_1']) expect(all).not.toContain(secret)
  expect(JSON.stringify(audit)).toContain('"stripe_key":"changed"')
})

test('rejects a key that Stripe does not recognize, and a key that is not a secret key', async () => {
  stripe.accounts.revoked.add(key)
  expect((await check(key)).code).toBe('stripe_key_refused')
  expect((await set(key)).code).toBe('stripe_key_refused')
  expect((await set('pk_test_publishable')).status).toBe(400)
  stripe.accounts.revoked.clear()
  stripe.failWith(500)
  expect((await set(key)).code).toBe('stripe_failed')
  stripe.failWith(null)
  expect(await get()).toMatchObject({ key_source: 'none' })

  // After the stored key is revoked at Stripe, requests fail and the check returns the reason.
  await set(key)
  stripe.accounts.revoked.add(key)
  expect((await admin.call(setPrices, { body: terms })).status).toBe(200)
  expect((await check()).code).toBe('stripe_key_refused')
  expect((await connect()).body.webhook.failure).toMatch(/no longer accepts the key/)
})

test('lists the permissions that a restricted key lacks, and accepts a webhook secret that an admin entered', async () => {
  stripe.accounts.denied.set(restricted, ['/v1/account', '/v1/refunds', '/v1/webhook_endpoints'])
  expect((await check(restricted)).body).toMatchObject({
    account_name: null,
    missing_rights: ['account', 'refunds', 'webhook_endpoints'],
  })
  const saved = await set(restricted)
  expect(saved.body).toMatchObject({
    account_name: null,
    last4: '2222',
    missing_rights: ['account', 'refunds', 'webhook_endpoints'],
    webhook: { state: 'none', failure: expect.stringMatching(/restricted key/) as string },
  })
  await saveSecret('whsec_by_hand')
  expect((await get()).webhook.state).toBe('by_hand')
  await admin.call(setPrices, { body: terms })
  expect(await isLive()).toBe(true)
})

test('a key from the environment overrides the stored key, which then cannot be changed', async () => {
  await app.close()
  await stripe.close()
  await open({ stripeSecretKey: 'sk_live_environment4444' })
  expect(await get()).toMatchObject({ key_source: 'environment', last4: '4444', is_live: true })
  expect((await set(key)).code).toBe('set_in_environment')
  expect((await remove()).code).toBe('set_in_environment')
  expect((await check()).body).toMatchObject({ account_name: 'Night Records', last4: '4444' })
  expect((await connect()).body.webhook.state).toBe('connected')
})

test('every instance switches to the new key; a Stripe client created earlier keeps the old key', async () => {
  await set(key)
  const { databaseUrl, databaseOwnerUrl, dataDir } = app.services.config
  const place = { databaseUrl, databaseOwnerUrl, dataDir, stripeApiUrl: stripe.url }
  const other = await createTestApp({ ...place, publicUrl }, { log })
  try {
    expect(other.services.stripe.isSetUp()).toBe(true)
    const first = await other.services.stripe.client()
    const rolled = `${key}Rolled`
    await set(rolled)
    const used = async () => {
      stripe.calls.length = 0
      const client = await other.services.stripe.client()
      await client?.accounts.retrieveCurrent()
      return stripe.calls[0]?.authorization
    }
    await expect.poll(used).toBe(`Bearer ${rolled}`)
    stripe.calls.length = 0
    await first?.accounts.retrieveCurrent()
    expect(stripe.calls[0]?.authorization).toBe(`Bearer ${key}`)
    await remove()
    await expect.poll(() => other.services.stripe.isSetUp()).toBe(false)
  } finally {
    await other.close()
  }
})

test('treats a stored key that can no longer be decrypted as not set', async () => {
  await set(key)
  await app.services.db.query
    .updateTable('stripe_connection')
    .set({ key_sealed: 'v1.lost' })
    .execute()
  await app.services.settings.reload()
  expect(await get()).toMatchObject({ key_source: 'saved', is_key_lost: true })
  expect(app.services.stripe.isSetUp()).toBe(false)
  expect((await set(key)).body.is_key_lost).toBe(false)
})

test('only admins who confirmed their password may check or set a key', async () => {
  const [editor, member] = [await app.makePerson({ role: 'editor' }), await app.makePerson({})]
  for (const person of [editor, member]) {
    expect((await person.call(contract.getStripeConnection, {})).status).toBe(403)
    expect((await person.call(contract.setStripeKey, { body: { key } })).status).toBe(403)
    expect((await person.call(contract.checkStripeKey, { body: { key } })).status).toBe(403)
    expect((await person.call(contract.removeStripeKey, {})).status).toBe(403)
    expect((await person.call(contract.connectStripeWebhook, {})).status).toBe(403)
  }
  expect((await app.nobody.call(contract.setStripeKey, { body: { key } })).status).toBe(401)
  expect(stripe.calls).toEqual([])
})

test('creates one webhook endpoint at Stripe, and updates it when the admin connects again', async () => {
  await set(key)
  const { endpoints } = stripe.accounts.first
  expect(endpoints).toMatchObject([{ url: webhook, enabled_events: handledEvents }])
  expect(endpoints[0]?.api_version).toMatch(/^\d{4}-/)
  endpoints[0]!.status = 'disabled'
  endpoints[0]!.enabled_events = []
  await connect()
  expect(endpoints).toMatchObject([
    { id: 'we_1', status: 'enabled', enabled_events: handledEvents },
  ])
  // After someone deletes the endpoint at Stripe, connecting creates a new one.
  endpoints.length = 0
  await Promise.all([connect(), connect()])
  expect(endpoints).toMatchObject([{ id: 'we_2', url: webhook }])
  expect((await get()).webhook.state).toBe('connected')
  // After an admin overwrites the secret, connecting replaces the endpoint, because Stripe returns a secret only for a
  // new one.
  await saveSecret('whsec_wrong')
  expect((await get()).webhook.state).toBe('by_hand')
  expect((await connect()).body.webhook.state).toBe('connected')
  expect(endpoints).toMatchObject([{ id: 'we_3', url: webhook }])
})

test('keeps using a webhook endpoint created by hand and a secret entered by hand', async () => {
  const { endpoints } = stripe.accounts.first
  endpoints.push({ id: 'we_manual', object: 'webhook_endpoint', url: webhook, enabled_events: [] })
  await saveSecret('whsec_by_hand')
  expect((await set(key)).body.webhook.state).toBe('by_hand')
  expect(endpoints).toMatchObject([{ id: 'we_manual', enabled_events: handledEvents }])
  expect((await settings()).stripe_webhook_secret).toMatch(/hand$/)
})

test('creates no webhook endpoint for a localhost URL, and reports it as unreachable', async () => {
  await app.close()
  await stripe.close()
  await open({ publicUrl: 'http://localhost:3000' })
  expect((await set(key)).body.webhook).toMatchObject({ is_reachable: false, state: 'none' })
  expect((await connect()).body.webhook).toMatchObject({ is_reachable: false, state: 'none' })
  expect(stripe.accounts.first.endpoints).toEqual([])
})

test("creates new prices in another account, and clears the old account's customers", async () => {
  await sell()
  const live = stripe.accounts.add('acct_other', 'Day Records', [otherKey])
  const member = await app.makePerson({})
  await app.services.db.query
    .insertInto('subscriptions')
    .values({ user_id: member.id, stripe_customer_id: 'cus_old' })
    .execute()
  await member.call(startCheckout, { body: { plan: 'monthly' } })
  const old = await settings()
  expect((await check(otherKey)).body).toMatchObject({
    change: 'other',
    account_name: 'Day Records',
    is_live: true,
    customers: 1,
    in_use: { subscriptions: 0, tasks: 0 },
  })
  expect((await set(otherKey)).code).toBe('stripe_other_account')
  expect((await get()).last4).toBe('1111')

  const saved = await set(otherKey, true)
  expect(saved.body).toMatchObject({
    account_name: 'Day Records',
    is_live: true,
    webhook: { state: 'connected' },
  })
  const now = await settings()
  expect(now.stripe_price_monthly).toBe(live.prices.made[0]?.id)
  expect(now).toMatchObject({ pricing_monthly_cents: 900, currency: 'eur' })
  expect(live.prices.made).toMatchObject([{ unit_amount: 900 }, { unit_amount: 9000 }])
  expect(old.stripe_price_monthly).not.toBe('')
  expect([...stripe.sessions.values()].map(({ status }) => status)).toEqual(['expired'])
  expect(stripe.accounts.first.endpoints).toEqual([])
  expect(live.endpoints).toMatchObject([{ url: webhook }])
  const rows = await app.services.db.query
    .selectFrom('subscriptions')
    .select('stripe_customer_id')
    .execute()
  expect(rows).toEqual([{ stripe_customer_id: null }])
  expect(await isLive()).toBe(true)
  expect((await set(otherKey)).status).toBe(200)
  expect(live.endpoints).toHaveLength(1)
})

test('rejects another account and the removal of the key while subscriptions run', async () => {
  await sell()
  stripe.accounts.add('acct_other', 'Day Records', [otherKey])
  const member = await app.makePerson({})
  await app.services.db.query
    .insertInto('stripe_subscriptions')
    .values({ id: 'sub_runs', user_id: member.id, status: 'active', event_is_simulated: false })
    .execute()
  expect((await check(otherKey)).body.in_use).toEqual({ subscriptions: 1, tasks: 0 })
  expect((await set(otherKey, true)).code).toBe('stripe_in_use')
  expect((await remove()).code).toBe('stripe_in_use')
  expect((await get()).in_use.subscriptions).toBe(1)
  // A new key of the same account is accepted.
  expect((await set(`${key}Rolled`)).body.last4).toBe('lled')
  await app.services.db.query
    .updateTable('stripe_subscriptions')
    .set({ status: 'canceled' })
    .execute()
  expect((await remove()).body).toMatchObject({ key_source: 'none', webhook: { state: 'none' } })
  expect(stripe.accounts.first.endpoints).toEqual([])
  expect(await isLive()).toBe(false)
  expect((await admin.call(setPrices, { body: terms })).code).toBe('stripe_not_configured')
})

test('an event that is being applied while the Stripe account changes stores nothing', async () => {
  await sell()
  const { settings: _, ...services } = app.services
  const { applyBillingEvent } = await import('../events/stripe-webhook.ts')
  const { readStripeSettings } = await import('../stripe-settings.ts')
  const before = await readStripeSettings(services.db, services.secretBox)
  stripe.accounts.add('acct_other', 'Day Records', [otherKey])
  expect((await set(otherKey, true)).status).toBe(200)
  const member = await app.makePerson({})
  const event = subscriptionEvent('created', {
    subscription: 'sub_late',
    customer: 'cus_late',
    userId: member.id,
    created: Math.floor(Date.now() / 1000),
  })
  const ctx = { actor: null, ip: '', db: services.db, now: () => new Date() }
  const options = { ...services, settings: before, isSimulated: false, sendMail: async () => {} }
  await expect(applyBillingEvent(ctx as never, event, options)).rejects.toThrow()
  const rows = await services.db.query.selectFrom('stripe_subscriptions').select('id').execute()
  expect(rows).toEqual([])
})

test('recognizes the account by its prices if the key came from the environment', async () => {
  const typed = sellingSettings('whsec_by_hand')
  await admin.call(updateSettings, { body: { action: 'update', settings: typed } })
  const live = stripe.accounts.add('acct_other', 'Day Records', [otherKey])
  expect((await check(key)).body.change).toBe('same')
  expect((await check(otherKey)).body.change).toBe('other')
  expect((await set(key)).body.webhook.state).toBe('by_hand')
  expect(await settings()).toMatchObject({
    stripe_price_monthly: typed.stripe_price_monthly,
    stripe_price_yearly: typed.stripe_price_yearly,
  })
  expect(live.prices.made).toEqual([])
})
