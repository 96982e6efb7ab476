import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  callOffPriceChange,
  getPrices,
  setPrices,
  tryCheckout,
} from '#contract/admin/money/admin-prices.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import { listPlans, startCheckout } from '#contract/billing.ts'
import { getSite } from '#contract/site.ts'
import { readQueuedMails } from '../../../testing/queued-mails.ts'
import { createStripeApp, type StripeApp } from '../../../testing/stripe/stripe-app.ts'
import { subscriptionEvent } from '../../../testing/stripe/stripe-payloads.ts'
import { createBillingMailer } from '../notices/billing-mailer.ts'
import { sweepPriceChanges } from './change-prices.ts'
import { sweepPriceSets } from './create-prices.ts'

let app: StripeApp
beforeAll(async () => {
  app = await createStripeApp()
})
afterAll(() => app.close())
beforeEach(() => {
  app.stripe.calls.length = 0
})

const dayMs = 24 * 3600 * 1000
const inDays = (days: number) => new Date(Date.now() + days * dayMs)
const dayIn = (days: number) => inDays(days).toISOString().slice(0, 10)
const terms = {
  currency: 'eur',
  monthly_cents: 1200,
  yearly_cents: 12_000,
  effective_on: null as string | null,
}
const set = (changes: Partial<typeof terms> = {}) =>
  app.admin.call(setPrices, { body: { ...terms, ...changes } })
const active = () => app.stripe.prices.made.filter((price) => price.active)
const sweepChanges = (now = new Date()) =>
  sweepPriceChanges({ ...app.services, sendMail: createBillingMailer(app.services) }, now)

async function announceAll(): Promise<void> {
  let count = 1
  while (count > 0) count = await sweepChanges()
}

async function makeSubscriber(monthly = 999, currency = 'eur') {
  const member = await app.makePerson({})
  const ids = { subscription: `sub_${member.id}`, customer: `cus_${member.id}`, userId: member.id }
  const created = Math.floor(Date.now() / 1000)
  const event = subscriptionEvent('created', { ...ids, created })
  await app.deliver(event)
  const price = {
    id: 'price_month',
    unit_amount: monthly,
    currency,
    recurring: { interval: 'month' },
  }
  const object = structuredClone(event.data.object)
  object.items.data[0]!.price = { ...object.items.data[0]!.price, ...price }
  app.stripe.subscriptions.set(ids.subscription, object)
  return { member, ids, object }
}

test('creates the prices at Stripe once, and sells at these prices from then on', async () => {
  const { body, status } = await set()
  expect(status).toBe(200)
  expect(body).toMatchObject({ currency: 'eur', monthly_cents: 1200, made: { state: 'made' } })
  expect(active()).toMatchObject([
    {
      unit_amount: 1200,
      currency: 'eur',
      tax_behavior: 'inclusive',
      recurring: { interval: 'month' },
    },
    { unit_amount: 12_000, recurring: { interval: 'year' } },
  ])
  const [monthly, yearly] = active()
  expect(monthly?.product).not.toBe(yearly?.product)
  const settings = (await app.admin.call(getSettings, {})).body
  expect(settings).toMatchObject({
    pricing_monthly_cents: 1200,
    stripe_price_monthly: monthly?.id,
    stripe_price_yearly: yearly?.id,
    currency: 'eur',
  })
  expect((await app.nobody.call(listPlans, {})).body.data[0]).toMatchObject({
    price_cents: 1200,
    currency: 'eur',
  })
  expect((await app.nobody.call(getSite, {})).body.pricing).toEqual({
    monthly_cents: 1200,
    yearly_cents: 12_000,
    currency: 'eur',
  })
  expect(await sweepPriceSets(app.services, inDays(1))).toBe(0)
})

test('archives older prices at Stripe, and keeps their products', async () => {
  const before = app.stripe.prices.products.size
  await set({ monthly_cents: 1300 })
  expect(active().map(({ unit_amount }) => unit_amount)).toEqual([1300, 12_000])
  expect(app.stripe.prices.products.size).toBe(before)
})

test("creates no second price after Stripe's response was lost", async () => {
  app.stripe.prices.loseNextResponse()
  const made = app.stripe.prices.made.length
  const { id } = await app.services.db.query
    .insertInto('price_sets')
    .values({
      currency: 'jpy',
      monthly_cents: 980,
      yearly_cents: 9800,
      created_at: new Date().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sweepPriceSets(app.services, inDays(1))
  await sweepPriceSets(app.services, inDays(2))
  await sweepPriceSets(app.services, inDays(3))
  const ours = app.stripe.prices.made.filter(({ metadata }) => metadata.price_set === id)
  expect(ours.map(({ unit_amount }) => unit_amount)).toEqual([980, 9800])
  expect(app.stripe.prices.made.length).toBe(made + 2)
  expect((await app.admin.call(getPrices, {})).body).toMatchObject({ currency: 'jpy' })
})

test('keeps selling at the old prices until Stripe has created the new ones', async () => {
  const before = (await app.admin.call(getSettings, {})).body.stripe_price_monthly
  app.stripe.failWith(503)
  expect((await set()).body).toMatchObject({ currency: 'jpy', made: { state: 'making' } })
  app.stripe.failWith(null)
  expect((await app.admin.call(getSettings, {})).body.stripe_price_monthly).toBe(before)
  await sweepPriceSets(app.services, inDays(1))
  expect((await app.admin.call(getPrices, {})).body).toMatchObject({
    currency: 'eur',
    made: { state: 'made' },
  })
})

test("returns Stripe's message when it rejects the prices", async () => {
  app.stripe.prices.refuseWith('Invalid currency: eur')
  const { body } = await set({ monthly_cents: 1400 })
  app.stripe.prices.refuseWith(null)
  expect(body.made).toMatchObject({ state: 'refused', failure: 'Invalid currency: eur' })
  expect(body.monthly_cents).toBe(1200)
})

test('rejects amounts with more decimals than the currency allows', async () => {
  expect((await set({ currency: 'kwd', monthly_cents: 3255 })).code).toBe('amount_not_possible')
  expect((await set({ currency: 'isk', monthly_cents: 150 })).code).toBe('amount_not_possible')
})

test('rejects a notice period that is too short, and another currency for existing subscribers', async () => {
  expect((await set({ effective_on: dayIn(29) })).code).toBe('notice_too_short')
  expect((await set({ currency: 'usd', effective_on: dayIn(40) })).code).toBe('currency_stays')
})

test('existing subscribers keep their price, or pay the new price after the notice period', async () => {
  const kept = await makeSubscriber(1200)
  const raised = await makeSubscriber(900)
  const leaving = await makeSubscriber(900)
  const foreign = await makeSubscriber(900, 'usd')
  const lost = await makeSubscriber(900)
  app.stripe.missing.add(lost.ids.subscription)
  expect((await set({ effective_on: dayIn(31) })).body.change).toMatchObject({
    state: 'announcing',
  })
  await announceAll()
  const told = (await app.admin.call(getPrices, {})).body.change
  expect(told).toMatchObject({ state: 'announced', waiting: 2, moved: 1 })
  const refused = told?.refused.map(({ user_id }) => user_id) ?? []
  expect(new Set(refused)).toEqual(new Set([foreign.member.id, lost.member.id]))
  const mails = (await readQueuedMails(app)).filter(({ subject }) => /price of/.test(subject))
  expect(mails.map(({ to }) => to).toSorted()).toEqual(
    [raised.member.email, leaving.member.email].toSorted(),
  )
  expect(mails[0]?.paragraphs.join(' ')).toMatch(/€9\.00 per month.*€12\.00 per month/)
  expect(mails.map(({ to }) => to)).not.toContain(kept.member.email)
  expect((await set({ effective_on: dayIn(50) })).code).toBe('price_change_open')

  await app.services.db.query
    .updateTable('stripe_subscriptions')
    .set({ cancels: true })
    .where('id', '=', leaving.ids.subscription)
    .execute()
  expect(await sweepChanges(inDays(30))).toBe(0)
  app.stripe.calls.length = 0
  await sweepChanges(inDays(32))
  const changed = app.stripe.calls.filter(({ form }) => form['items[0][price]'])
  expect(changed).toMatchObject([
    { path: `/v1/subscriptions/${raised.ids.subscription}`, form: { proration_behavior: 'none' } },
  ])
  const { change } = (await app.admin.call(getPrices, {})).body
  expect(change).toMatchObject({ state: 'done', waiting: 0, moved: 2, left: 1 })
  const late = await app.admin.call(callOffPriceChange, { params: { price_change_id: change!.id } })
  expect(late.code).toBe('price_change_begun')
})

test('continues emailing members about a price change once Stripe is available again', async () => {
  const { member, ids } = await makeSubscriber(400)
  const { change } = (await set({ monthly_cents: 1700, effective_on: dayIn(60) })).body
  app.stripe.failWith(503)
  expect(await sweepChanges()).toBe(0)
  app.stripe.failWith(null)
  await announceAll()
  const mailed = (await readQueuedMails(app)).filter(({ to }) => to === member.email)
  expect(mailed).toHaveLength(1)
  await app.admin.call(callOffPriceChange, { params: { price_change_id: change!.id } })
  await announceAll()
  app.stripe.missing.add(ids.subscription)
})

test('a canceled price change leaves the prices unchanged, and members get a second email', async () => {
  const { member } = await makeSubscriber(500)
  const { change } = (await set({ monthly_cents: 1500, effective_on: dayIn(60) })).body
  await announceAll()
  const { body } = await app.admin.call(callOffPriceChange, {
    params: { price_change_id: change!.id },
  })
  expect(body.change).toMatchObject({ state: 'called_off' })
  await announceAll()
  const subjects = (await readQueuedMails(app))
    .filter(({ to }) => to === member.email)
    .map(({ subject }) => subject)
  expect(subjects).toContain('The price of your Velour Premium stays the same')
  app.stripe.calls.length = 0
  await sweepChanges(inDays(61))
  expect(app.stripe.calls.filter(({ form }) => form['items[0][price]'])).toEqual([])
})

test('only admins can set prices', async () => {
  const member = await app.makePerson({})
  expect((await member.call(setPrices, { body: terms })).status).toBe(403)
  expect((await member.call(getPrices, {})).status).toBe(403)
})

test('applies events about a price that is no longer sold', async () => {
  const { member } = await makeSubscriber()
  const outside = { subscription: 'sub_outside', customer: `cus_${member.id}` }
  const created = Math.floor(Date.now() / 1000) + 5
  const event = subscriptionEvent('created', { ...outside, created, price: 'price_year' })
  expect((await app.deliver(event)).body).toMatchObject({ outcome: 'applied' })
})

test.each([
  ['off', {}],
  ['stripe_tax', { 'automatic_tax[enabled]': 'true' }],
  ['managed', { 'managed_payments[enabled]': 'true' }],
] as const)('the payment page has the tax parameters for mode %s', async (tax_mode, sent) => {
  const { updated_at: _, version, ...settings } = (await app.admin.call(getSettings, {})).body
  await app.admin.call(updateSettings, {
    body: { action: 'update', settings: { ...settings, tax_mode }, version },
  })
  const member = await app.makePerson({})
  await member.call(startCheckout, { body: { plan: 'monthly' } })
  const form = app.stripe.calls.find(({ path }) => path === '/v1/checkout/sessions')?.form ?? {}
  const tax = Object.entries(form).filter(([name]) => /tax|managed/.test(name))
  expect(Object.fromEntries(tax)).toEqual(sent)
  expect((await app.admin.call(tryCheckout, {})).body).toEqual({ is_accepted: true, answer: null })
})

test("a new customer's invoices show the owner's details", async () => {
  const { updated_at: _, version, ...settings } = (await app.admin.call(getSettings, {})).body
  const details = {
    invoice_name: 'Night Desk',
    invoice_tax_id: 'DE1',
    invoice_footer: 'Thank you.',
  }
  await app.admin.call(updateSettings, {
    body: { action: 'update', settings: { ...settings, ...details, tax_mode: 'off' }, version },
  })
  const member = await app.makePerson({})
  await member.call(startCheckout, { body: { plan: 'monthly' } })
  const [made] = app.stripe.calls.filter(({ path }) => path === '/v1/customers')
  expect(made?.form).toMatchObject({
    email: member.email,
    'invoice_settings[footer]': 'Night Desk\nThank you.',
    'invoice_settings[custom_fields][0][value]': 'DE1',
  })
  const page = app.stripe.calls.find(({ path }) => path === '/v1/checkout/sessions')
  expect(page?.form).toHaveProperty('customer')
})
