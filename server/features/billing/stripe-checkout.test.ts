import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { updateSettings } from '#contract/admin/admin-settings.ts'
import { listPlans, openBillingPortal, startCheckout } from '#contract/billing.ts'
import { startFakeStripe, type FakeStripe } from '../../testing/stripe/fake-stripe.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let stripe: FakeStripe
let app: TestApp
let admin: Person

const settings = {
  preview_length_seconds: 45,
  maintenance_mode: false,
  pricing_monthly_cents: 1234,
  pricing_yearly_cents: 9999,
  stripe_price_monthly: 'price_m',
  stripe_price_yearly: 'price_y',
  stripe_webhook_secret: 'whsec_test',
}
const save = (changes: Partial<typeof settings>) =>
  admin.call(updateSettings, { body: { action: 'update', settings: { ...settings, ...changes } } })

beforeAll(async () => {
  stripe = await startFakeStripe()
  app = await createTestApp({ stripeSecretKey: 'sk_test_123', stripeApiUrl: stripe.url })
  admin = await app.makePerson({ role: 'admin' })
})

afterAll(async () => {
  await app.close()
  await stripe.close()
})

test('nobody can buy a plan until both prices and the webhook secret are set', async () => {
  const member = await app.makePerson()
  const buy = () => member.call(startCheckout, { body: { plan: 'monthly' } })
  const isLive = async () => (await app.nobody.call(listPlans, {})).body.is_purchase_live
  expect(await isLive()).toBe(false)
  expect((await buy()).code).toBe('stripe_not_configured')
  await save({ stripe_webhook_secret: '' })
  expect(await isLive()).toBe(false)
  await save({ stripe_price_yearly: '' })
  expect(await isLive()).toBe(false)
  expect((await buy()).code).toBe('stripe_not_configured')
  expect(stripe.calls).toEqual([])
  await save({})
  expect((await app.nobody.call(listPlans, {})).body).toEqual({
    data: [
      { plan: 'monthly', price_cents: 1234, currency: 'usd', trial_days: 0 },
      { plan: 'yearly', price_cents: 9999, currency: 'usd', trial_days: 0 },
    ],
    trial_needs_card: true,
    is_purchase_live: true,
  })
})

test("opens Stripe's payment page with the buyer and the plan in its metadata", async () => {
  await save({})
  const member = await app.makePerson()
  const answer = await member.call(startCheckout, { body: { plan: 'yearly' } })
  expect(answer.status).toBe(200)
  expect(answer.body.url).toMatch(/^https:\/\/checkout\.stripe\.com\//)
  const call = stripe.calls.at(-1)
  expect(call).toMatchObject({
    path: '/v1/checkout/sessions',
    authorization: 'Bearer sk_test_123',
    form: {
      mode: 'subscription',
      'line_items[0][price]': 'price_y',
      'line_items[0][quantity]': '1',
      customer_email: member.email,
      client_reference_id: member.id,
      'metadata[plan]': 'yearly',
      'subscription_data[metadata][user_id]': member.id,
    },
  })
  const { publicUrl } = app.services.config
  expect(call?.form.success_url).toBe(`${publicUrl}/subscribe?checkout=done`)
  const bad = await member.send('POST', '/api/billing/checkout', { body: { plan: 'lifetime' } })
  expect(bad.code).toBe('invalid_input')
})

test('a member with Premium cannot buy a plan', async () => {
  const member = await app.makePerson({ tier: 'yearly' })
  const before = stripe.calls.length
  const answer = await member.call(startCheckout, { body: { plan: 'monthly' } })
  expect([answer.status, answer.code]).toEqual([409, 'already_subscribed'])
  expect(stripe.calls).toHaveLength(before)
})

test("customers can open Stripe's portal, and admins can open it for them", async () => {
  const member = await app.makePerson()
  expect((await member.call(openBillingPortal, {})).code).toBe('stripe_not_configured')
  await app.services.db.query
    .insertInto('subscriptions')
    .values({ user_id: member.id, is_manual: false, stripe_customer_id: 'cus_portal' })
    .execute()
  const own = await member.call(openBillingPortal, {})
  expect(own.body.url).toBe('https://billing.stripe.com/p/session/cus_portal')
  const links = await admin.call(runBillingAction, {
    body: { action: 'get_stripe_links', user_id: member.id },
  })
  expect(links.body.links?.customer_portal).toBe('https://billing.stripe.com/p/session/cus_portal')
  await member.call(startCheckout, { body: { plan: 'monthly' } })
  expect(stripe.calls.at(-1)?.form).toMatchObject({ customer: 'cus_portal' })
})

test("returns 'stripe_failed' for an error of Stripe, without Stripe's message", async () => {
  const member = await app.makePerson()
  stripe.failWith(400)
  const answer = await member.call(startCheckout, { body: { plan: 'monthly' } })
  stripe.failWith(null)
  expect([answer.status, answer.code]).toEqual([502, 'stripe_failed'])
  expect(JSON.stringify(answer.body)).not.toContain('secret words')
})

test("returns 'stripe_not_configured' when no Stripe key is set", async () => {
  const plain = await createTestApp()
  try {
    const member = await plain.makePerson()
    expect((await member.call(listPlans, {})).body.is_purchase_live).toBe(false)
    const answer = await member.call(startCheckout, { body: { plan: 'monthly' } })
    expect([answer.status, answer.code]).toEqual([409, 'stripe_not_configured'])
  } finally {
    await plain.close()
  }
})
