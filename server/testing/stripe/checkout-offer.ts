// Reads what a payment page of the fake Stripe sells, from the request that created it.
import type { Stripe } from 'stripe'
import type { FakeStripe } from './fake-stripe.ts'
import { testPrices } from './stripe-payloads.ts'
import type { FakeCoupon } from './stripe-shape.ts'

export interface Offer {
  price: string
  interval: 'month' | 'year'
  cents: number
  currency: string
}

interface Gift {
  id: string
  name: string
  cents: number
  currency: string
}

/** The prices for tests that create no prices in the fake Stripe. */
export const plans = {
  monthly: { price: testPrices.monthly, interval: 'month', cents: 999, currency: 'usd' },
  yearly: { price: testPrices.yearly, interval: 'year', cents: 9999, currency: 'usd' },
} as const satisfies Record<string, Offer>

type Form = Record<string, string>

/** Returns the gift that the page sells, or null if it sells a plan. */
export function readGift(form: Form): Gift | null {
  const id = form['metadata[gift_id]']
  if (id === undefined) return null
  const item = 'line_items[0][price_data]'
  return {
    id,
    name: form[`${item}[product_data][name]`] ?? 'A gift',
    cents: Number(form[`${item}[unit_amount]`]),
    currency: form[`${item}[currency]`] ?? 'usd',
  }
}

export function readOffer({ prices }: Pick<FakeStripe, 'prices'>, form: Form): Offer {
  const id = form['line_items[0][price]']
  const price = prices.made.find((one) => one.id === id)
  if (price) {
    const interval = price.recurring.interval === 'year' ? 'year' : 'month'
    return { price: price.id, interval, cents: price.unit_amount, currency: price.currency }
  }
  return form['metadata[plan]'] === 'yearly' ? plans.yearly : plans.monthly
}

export const readTrialDays = (form: Form) =>
  Number(form['subscription_data[trial_period_days]'] ?? 0)

/** Returns the coupon that the service has applied, or null if there is none. */
export function findAppliedCoupon({ promotions }: Pick<FakeStripe, 'promotions'>, form: Form) {
  const id = form['discounts[0][promotion_code]']
  return promotions.codes.find((one) => one.id === id)?.promotion.coupon ?? null
}

/** Returns the coupon of a typed code, or null if no such code can be used now. */
export function findCoupon(
  { promotions }: Pick<FakeStripe, 'promotions'>,
  typed: string,
  now: Date,
): FakeCoupon | null {
  const found = promotions.codes.find(
    ({ code, active, expires_at, max_redemptions, times_redeemed }) =>
      active &&
      code.toLowerCase() === typed.trim().toLowerCase() &&
      (expires_at === null || expires_at * 1000 > now.getTime()) &&
      (max_redemptions === null || times_redeemed < max_redemptions),
  )
  return found?.promotion.coupon ?? null
}

export function applyDiscount(cents: number, { percent_off, amount_off }: FakeCoupon): number {
  return Math.max(0, Math.round(cents * (1 - (percent_off ?? 0) / 100)) - (amount_off ?? 0))
}

/** Returns the number of payments of this plan that a coupon reduces. */
export function countReducedPayments(coupon: FakeCoupon, interval: Offer['interval']): number {
  const duration: Stripe.Coupon.Duration = coupon.duration ?? 'once'
  if (duration === 'forever') return Infinity
  if (duration === 'once' || interval === 'year') return 1
  return coupon.duration_in_months ?? 1
}
