// Promotion codes for admins. They are created and stored in Stripe.
import * as z from 'zod/mini'
import { paidPlans } from '../../billing.ts'
import { endpoint } from '../../endpoint.ts'
import { dayOrMoment, timestamp } from '../../fields/dates.ts'
import { promotionCode } from '../../promotion-code.ts'
import { promotionTerms } from '../../promotions.ts'

export const adminPromotion = z.object({
  id: z.string().check(z.describe('The id in Stripe.')),
  ...promotionTerms,
  is_active: z
    .boolean()
    .check(
      z.describe('Whether the code can be used. False if it is deactivated, expired or used up.'),
    ),
  times_used: z.number().check(z.describe('How often the code has been used.')),
  max_uses: z
    .nullable(z.number())
    .check(z.describe('How often the code can be used. Null for no limit.')),
  expires_at: z.nullable(timestamp),
  is_first_time_only: z
    .boolean()
    .check(z.describe('Whether it is only for people who have never paid.')),
  created_at: timestamp,
})
export type AdminPromotion = z.infer<typeof adminPromotion>

export const listPromotionCodes = endpoint({
  method: 'GET',
  path: '/api/admin-promotion-codes',
  summary: 'Promotion codes in Stripe, newest first, at most 100.',
  access: 'admin',
  output: z.object({
    data: z.array(adminPromotion),
    has_more: z
      .boolean()
      .check(z.describe('Whether there are older codes, which only Stripe lists.')),
    is_configured: z
      .boolean()
      .check(z.describe('False if no Stripe key is set. There are no codes then.')),
  }),
  errors: ['stripe_failed'],
})

const months = z.int().check(z.minimum(1), z.maximum(36))
const percent = z.number().check(z.minimum(1), z.maximum(100))
const cents = z.int().check(z.minimum(1), z.maximum(100_000_000))

export const createPromotionCode = endpoint({
  method: 'POST',
  path: '/api/admin-promotion-codes',
  summary: 'Create a promotion code. Its terms cannot be changed later.',
  access: 'admin',
  creates: true,
  audit: { promotion_code: ['create'] },
  body: z.object({
    code: promotionCode,
    off: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('percent'), percent_off: percent }),
        z.object({ kind: z.literal('amount'), amount_off_cents: cents }),
      ])
      .check(z.describe('The discount: a percentage or an amount.')),
    duration: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.enum(['once', 'forever']) }),
        z.object({ kind: z.literal('repeating'), months }),
      ])
      .check(z.describe('Which payments are discounted.')),
    max_uses: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))),
    expires_at: z
      .nullable(dayOrMoment)
      .check(
        z.describe('The last day, or the time at which the code expires. Null for no expiry.'),
      ),
    is_first_time_only: z.boolean(),
    plan: z.nullable(z.enum(paidPlans)),
  }),
  output: adminPromotion,
  errors: [
    'stripe_not_configured',
    'stripe_failed',
    'promotion_code_taken',
    'plans_share_product',
    'invalid_period',
  ],
})

export const deactivatePromotionCode = endpoint({
  method: 'POST',
  path: '/api/admin-promotion-codes/:promotion_code_id/deactivate',
  summary: 'Deactivate a code. Discounts already granted are kept.',
  access: 'admin',
  audit: { promotion_code: ['update'] },
  params: z.object({ promotion_code_id: z.string().check(z.regex(/^promo_\w{1,100}$/)) }),
  output: adminPromotion,
  errors: ['promotion_code_not_found', 'stripe_not_configured', 'stripe_failed'],
})
