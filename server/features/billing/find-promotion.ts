// Looks up a promotion code that a member entered. Stripe returns only codes that are still valid. Codes for one
// customer or for new customers only are compared here with the member's customer id and payments.
import type { Stripe } from 'stripe'
import { paidPlans, type PaidPlan } from '#contract/billing.ts'
import { promotionDurations, type Promotion } from '#contract/promotions.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { callStripe, type StripeAccess } from './stripe-client.ts'
import type { StripeSettings } from './stripe-settings.ts'

export const promotionExpand = ['promotion.coupon', 'promotion.coupon.applies_to'] as const

export type PlanProducts = Record<PaidPlan, string | null>

/** Throws `promotion_code_invalid` if the member cannot use the code. */
export async function findPromotion(
  stripe: StripeAccess,
  ctx: MemberContext,
  { prices }: Pick<StripeSettings, 'prices'>,
  code: string,
): Promise<Promotion & { id: string }> {
  const found = await callStripe(stripe, async (client) => {
    const { data } = await client.promotionCodes.list({
      code,
      active: true,
      limit: 1,
      expand: promotionExpand.map((field) => `data.${field}`),
    })
    return data[0] && { code: data[0], products: await readPlanProducts(client, prices) }
  })
  if (!found || !(await canUsePromotion(ctx, found.code)))
    throw new AppError('promotion_code_invalid')
  return presentPromotion(found.code, found.products)
}

async function canUsePromotion(ctx: MemberContext, code: Stripe.PromotionCode): Promise<boolean> {
  const { customer, restrictions } = code
  // In Stripe, the owner can limit a promotion code to one customer.
  if (customer !== null) {
    const own = await ctx.db.query
      .selectFrom('subscriptions')
      .select('stripe_customer_id')
      .where('user_id', '=', ctx.actor.user_id)
      .executeTakeFirst()
    const id = typeof customer === 'string' ? customer : customer.id
    if (own?.stripe_customer_id !== id) return false
  }
  if (!restrictions.first_time_transaction) return true
  const paid = await ctx.db.query
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', ctx.actor.user_id)
    .where('payment_method', '=', 'stripe')
    .where('is_simulated', '=', false)
    .executeTakeFirst()
  return paid === undefined
}

/** Reads the id of the product that each plan's price belongs to at Stripe. */
export async function readPlanProducts(
  client: Stripe,
  prices: StripeSettings['prices'],
): Promise<PlanProducts> {
  const products: PlanProducts = { monthly: null, yearly: null }
  for (const plan of paidPlans) {
    if (prices[plan] === '') continue
    const { product } = await client.prices.retrieve(prices[plan])
    products[plan] = typeof product === 'string' ? product : product.id
  }
  return products
}

export function presentPromotion(
  { id, code, promotion }: Stripe.PromotionCode,
  products: PlanProducts,
): Promotion & { id: string } {
  const { coupon } = promotion
  if (coupon === null || typeof coupon === 'string') throw new AppError('stripe_failed')
  const limited = coupon.applies_to?.products ?? null
  const plans = paidPlans.filter((plan) => limited?.includes(products[plan] ?? ''))
  return {
    id,
    code,
    percent_off: coupon.percent_off,
    amount_off_cents: coupon.amount_off,
    currency: coupon.currency,
    duration: promotionDurations.find((one) => one === coupon.duration) ?? 'once',
    duration_months: coupon.duration_in_months,
    plan: plans.length === 1 ? (plans[0] ?? null) : null,
  }
}
