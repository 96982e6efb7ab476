// Promotion codes: what they take off, for members and admins.
import * as z from 'zod/mini'
import { paidPlans } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { promotionCode } from './promotion-code.ts'
import { hour } from './rate-limit.ts'

export const promotionDurations = ['once', 'repeating', 'forever'] as const
export type PromotionDuration = (typeof promotionDurations)[number]

export const promotionTerms = {
  code: z.string(),
  percent_off: z
    .nullable(z.number())
    .check(z.describe('What is taken off, in percent. Null: an amount is.')),
  amount_off_cents: z
    .nullable(z.number())
    .check(z.describe('What is taken off, in hundredths of the currency. Null: a percentage is.')),
  currency: z.nullable(z.string()),
  duration: z
    .enum(promotionDurations)
    .check(z.describe('`once`: the first payment. `repeating`: the payments of some months.')),
  duration_months: z
    .nullable(z.number())
    .check(z.describe('For how many months it repeats. Null: it does not.')),
  plan: z
    .nullable(z.enum(paidPlans))
    .check(z.describe('The only plan that it is for. Null: for both.')),
}
export const promotion = z.object(promotionTerms)
export type Promotion = z.infer<typeof promotion>

export const checkPromotionCode = endpoint({
  method: 'POST',
  path: '/api/billing/promotion-code',
  summary: 'What a code takes off for the member, before they buy.',
  access: 'member',
  tokens: 'refused',
  body: z.object({ code: promotionCode }),
  output: promotion,
  rateLimit: { name: 'promotion-code', per: 'account', count: 30, seconds: hour },
  errors: ['promotion_code_invalid', 'stripe_not_configured', 'stripe_failed'],
})
