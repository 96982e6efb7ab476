// Promotion codes for admins. They are made and kept in Stripe.
import * as z from 'zod/mini'
import { paidPlans } from '../../billing.ts'
import { endpoint } from '../../endpoint.ts'
import { dayOrMoment, timestamp } from '../../fields/dates.ts'
import { promotionCode } from '../../promotion-code.ts'
import { promotionTerms } from '../../promotions.ts'

export const adminPromotion = z.object({
  id: z.string().check(z.describe('The id at Stripe.')),
  ...promotionTerms,
  is_active: z
    .boolean()
    .check(z.describe('It can be used. False: deactivated, expired or used up.')),
  times_used: z.number().check(z.describe('How often it was used.')),
  max_uses: z.nullable(z.number()).check(z.describe('How often it can be used. Null: no limit.')),
  expires_at: z.nullable(timestamp),
  is_first_time_only: z
    .boolean()
    .check(z.describe('Only for people who have not paid anything before.')),
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
    has_more: z.boolean().check(z.describe('Older ones are only in Stripe.')),
    is_configured: z
      .boolean()
      .check(z.describe('False: Stripe has no key here, so there are no codes.')),
  }),
  errors: ['stripe_failed'],
})

const months = z.int().check(z.minimum(1), z.maximum(36))
const percent = z.number().check(z.minimum(1), z.maximum(100))
const cents = z.int().check(z.minimum(1), z.maximum(100_000_000))

export const createPromotionCode = endpoint({
  method: 'POST',
  path: '/api/admin-promotion-codes',
  summary: 'Make a code. Its terms cannot be changed later.',
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
      .check(z.describe('What is taken off: a percentage or an amount.')),
    duration: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.enum(['once', 'forever']) }),
        z.object({ kind: z.literal('repeating'), months }),
      ])
      .check(z.describe('Of which payments it is taken off.')),
    max_uses: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))),
    expires_at: z
      .nullable(dayOrMoment)
      .check(z.describe('The last day, or the moment of the end. Null: no end.')),
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
  summary: 'Nobody can use the code from now on. Discounts that were given stay.',
  access: 'admin',
  audit: { promotion_code: ['update'] },
  params: z.object({ promotion_code_id: z.string().check(z.regex(/^promo_\w{1,100}$/)) }),
  output: adminPromotion,
  errors: ['promotion_code_not_found', 'stripe_not_configured', 'stripe_failed'],
})
