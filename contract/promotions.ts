// Promotion codes and their discounts, for members and admins.
import * as z from 'zod/mini'
import { paidPlans } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { promotionCode } from './promotion-code.ts'
import { hour } from './rate-limit.ts'

export const promotionDurations = ['once', 'repeating', 'forever'] as const
export type PromotionDuration = (typeof promotionDurations)[number]

export const promotionTerms = {
  code: z.string().check(z.describe('The promotion code.')),
  percent_off: z
    .nullable(z.number())
    .check(z.describe('The discount in percent. Null if it is an amount.')),
  amount_off_cents: z
    .nullable(z.number())
    .check(
      z.describe('The discount in the smallest unit of the currency. Null if it is a percentage.'),
    ),
  currency: z.nullable(z.string()),
  duration: z
    .enum(promotionDurations)
    .check(
      z.describe(
        '`once`: only the first payment is discounted. `repeating`: the payments of several months.',
      ),
    ),
  duration_months: z
    .nullable(z.number())
    .check(z.describe('For how many months the discount repeats. Null if it does not repeat.')),
  plan: z
    .nullable(z.enum(paidPlans))
    .check(z.describe('The only plan that the code applies to. Null if it applies to both.')),
}
export const promotion = z.object(promotionTerms)
export type Promotion = z.infer<typeof promotion>

export const checkPromotionCode = endpoint({
  method: 'POST',
  path: '/api/billing/promotion-code',
  summary: 'Return the discount that a code gives the member, before they buy.',
  access: 'member',
  tokens: 'refused',
  body: z.object({ code: promotionCode }),
  output: promotion,
  rateLimit: { name: 'promotion-code', per: 'account', count: 30, seconds: hour },
  errors: ['promotion_code_invalid', 'stripe_not_configured', 'stripe_failed'],
})
