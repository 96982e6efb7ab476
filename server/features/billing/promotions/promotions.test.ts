import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createPromotionCode,
  deactivatePromotionCode,
  listPromotionCodes,
} from '#contract/admin/money/admin-promotions.ts'
import { startCheckout } from '#contract/billing.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { checkPromotionCode } from '#contract/promotions.ts'
import { createStripeApp, type StripeApp } from '../../../testing/stripe/stripe-app.ts'
import { invoiceEvent, testPrices } from '../../../testing/stripe/stripe-payloads.ts'
import type { Person } from '../../../testing/test-app.ts'

let app: StripeApp
const now = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  app = await createStripeApp()
})
beforeEach(() => {
  app.stripe.calls.length = 0
  app.stripe.promotions.products.clear()
})
afterAll(() => app.close())

type Terms = CallInput<typeof createPromotionCode>['body']
const plain: Terms = {
  code: 'UNUSED',
  off: { kind: 'percent', percent_off: 25 },
  duration: { kind: 'once' },
  max_uses: null,
  expires_at: null,
  is_first_time_only: false,
  plan: null,
}
let codes = 0
const make = (changes: Partial<Terms> = {}) =>
  app.admin.call(createPromotionCode, { body: { ...plain, code: `CODE${++codes}`, ...changes } })
const check = (member: Person, code: string) => member.call(checkPromotionCode, { body: { code } })
const buy = (member: Person, promotion_code: string, plan: 'monthly' | 'yearly' = 'monthly') =>
  member.call(startCheckout, { body: { plan, promotion_code } })
const sessionForm = () =>
  app.stripe.calls.find(({ path }) => path === '/v1/checkout/sessions')?.form

test('creates a code at Stripe with all its terms, and lists the code', async () => {
  const { status, body } = await make({
    code: 'spring25',
    duration: { kind: 'repeating', months: 3 },
    max_uses: 50,
    expires_at: '2099-12-31',
    is_first_time_only: true,
    plan: 'yearly',
  })
  expect([status, body]).toMatchObject([
    201,
    {
      code: 'SPRING25',
      percent_off: 25,
      amount_off_cents: null,
      duration: 'repeating',
      duration_months: 3,
      plan: 'yearly',
      is_active: true,
      times_used: 0,
      max_uses: 50,
      expires_at: '2099-12-31T23:59:59.000Z',
      is_first_time_only: true,
    },
  ])
  app.stripe.promotions.codes[0]!.times_redeemed = 7
  const { data, is_configured } = (await app.admin.call(listPromotionCodes, {})).body
  expect(is_configured).toBe(true)
  expect(data[0]).toMatchObject({ id: body.id, times_used: 7 })
})

test('creates a code for a fixed amount off', async () => {
  const { body } = await make({
    off: { kind: 'amount', amount_off_cents: 500 },
    duration: { kind: 'forever' },
  })
  expect(body).toMatchObject({ amount_off_cents: 500, currency: 'usd', duration: 'forever' })
})

test('rejects a second active code with the same name, and deletes the unused coupon', async () => {
  const { body } = await make()
  const { size } = app.stripe.promotions.coupons
  expect((await make({ code: body.code.toLowerCase() })).code).toBe('promotion_code_taken')
  expect(app.stripe.promotions.coupons.size).toBe(size)
  const answers = await Promise.all([make({ code: 'TWICE' }), make({ code: 'TWICE' })])
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(app.stripe.promotions.coupons.size).toBe(size + 1)
})

test("returns 'plans_share_product' for a one-plan code when both plans share a product", async () => {
  app.stripe.promotions.products.set(testPrices.monthly, 'prod_same')
  app.stripe.promotions.products.set(testPrices.yearly, 'prod_same')
  expect((await make({ plan: 'monthly' })).code).toBe('plans_share_product')
  expect((await make({ expires_at: '2020-01-01' })).code).toBe('invalid_period')
})

test('members can no longer use a deactivated code', async () => {
  const member = await app.makePerson()
  const { body } = await make()
  expect((await check(member, body.code)).body).toMatchObject({ percent_off: 25 })
  const off = await app.admin.call(deactivatePromotionCode, {
    params: { promotion_code_id: body.id },
  })
  expect(off.body).toMatchObject({ is_active: false })
  expect((await check(member, body.code)).code).toBe('promotion_code_invalid')
  expect((await buy(member, body.code)).code).toBe('promotion_code_invalid')
  const gone = { params: { promotion_code_id: 'promo_none' } }
  expect((await app.admin.call(deactivatePromotionCode, gone)).code).toBe(
    'promotion_code_not_found',
  )
})

test("the payment page applies the member's code, and shows a field for a code if the member entered none", async () => {
  const member = await app.makePerson()
  const { body } = await make()
  expect((await buy(member, ` ${body.code.toLowerCase()} `)).status).toBe(200)
  expect(sessionForm()).toMatchObject({ 'discounts[0][promotion_code]': body.id })
  expect(sessionForm()).not.toHaveProperty('allow_promotion_codes')
  app.stripe.calls.length = 0
  await member.call(startCheckout, { body: { plan: 'monthly' } })
  expect(sessionForm()).toMatchObject({ allow_promotion_codes: 'true' })
  // The earlier page with the discount can no longer be paid.
  expect([...app.stripe.sessions.values()].map(({ status }) => status)).toEqual(['expired', 'open'])
})

test('rejects a code for another plan, for another customer or for new members only', async () => {
  const member = await app.makePerson()
  const yearly = (await make({ plan: 'yearly' })).body.code
  expect((await check(member, yearly)).body).toMatchObject({ plan: 'yearly' })
  expect((await buy(member, yearly)).code).toBe('promotion_code_invalid')
  expect((await buy(member, yearly, 'yearly')).status).toBe(200)

  const first = (await make({ is_first_time_only: true })).body.code
  expect((await check(member, first)).status).toBe(200)
  const ids = { subscription: 'sub_old', customer: 'cus_old', userId: member.id }
  await app.deliver(invoiceEvent('invoice.paid', { ...ids, created: now, invoice: 'in_old' }))
  expect((await check(member, first)).code).toBe('promotion_code_invalid')

  const own = (await make()).body.code
  app.stripe.promotions.codes[0]!.customer = 'cus_of_another'
  expect((await check(member, own)).code).toBe('promotion_code_invalid')
})

test('only admins can create, list and deactivate codes', async () => {
  const member = await app.makePerson()
  expect((await member.call(createPromotionCode, { body: plain })).code).toBe('forbidden')
  expect((await member.call(listPromotionCodes, {})).code).toBe('forbidden')
  const params = { promotion_code_id: 'promo_1' }
  expect((await member.call(deactivatePromotionCode, { params })).code).toBe('forbidden')
  expect((await app.nobody.call(checkPromotionCode, { body: { code: 'ABC' } })).status).toBe(401)
})
