// The prices of Premium, made at Stripe, and their changes for members who pay already.
import * as z from 'zod/mini'
import { currencies } from '../../currencies.ts'
import { endpoint } from '../../endpoint.ts'
import { day, timestamp } from '../../fields/dates.ts'

/** Members get a mail at least this long before they pay a new price. */
export const minNoticeDays = 30

export const priceSetStates = ['making', 'made', 'refused'] as const
export const priceChangeStates = [
  'announcing',
  'announced',
  'running',
  'done',
  'called_off',
] as const

export const priceChange = z.object({
  id: z.uuid(),
  state: z.enum(priceChangeStates),
  effective_at: timestamp.check(
    z.describe('Members pay the new price from their renewal on or after it.'),
  ),
  waiting: z.number().check(z.describe('Members who got the mail and pay the old price.')),
  moved: z.number().check(z.describe('Members whose next payment is the new price.')),
  left: z.number().check(z.describe('Members whose subscription ends or has ended.')),
  refused: z
    .array(z.object({ user_id: z.uuid(), email: z.string(), failure: z.string() }))
    .check(z.describe('Members whose price Stripe did not change, at most 100, and why.')),
})
export type PriceChange = z.infer<typeof priceChange>

export const prices = z.object({
  is_configured: z.boolean().check(z.describe('False: Stripe has no key here.')),
  currency: z.string(),
  monthly_cents: z.number().check(z.describe('The price, in the smallest unit of the currency.')),
  yearly_cents: z.number(),
  made: z
    .nullable(z.object({ state: z.enum(priceSetStates), failure: z.nullable(z.string()) }))
    .check(z.describe('The latest prices that were made at Stripe. Null: none were.')),
  change: z
    .nullable(priceChange)
    .check(z.describe('The latest change for members who pay already. Null: there was none.')),
})
export type Prices = z.infer<typeof prices>

const amount = z.int().check(z.minimum(1), z.maximum(100_000_000))

export const getPrices = endpoint({
  method: 'GET',
  path: '/api/admin-prices',
  summary: 'The prices of Premium, and the latest change for members who pay already.',
  access: 'admin',
  output: prices,
})

export const setPrices = endpoint({
  method: 'POST',
  path: '/api/admin-prices',
  summary:
    'Make prices at Stripe and sell them from then on. Members who pay already keep their price, or change to the new one after notice.',
  access: 'admin',
  dependsOnState: true,
  audit: { settings: ['update'] },
  body: z.object({
    currency: z.enum(currencies),
    monthly_cents: amount,
    yearly_cents: amount,
    effective_on: z
      .nullable(day)
      .check(
        z.describe(
          'Members who pay already get a mail, and pay the new price from their renewal on or after this day, at least 30 days ahead. Null: they keep their price.',
        ),
      ),
  }),
  output: prices,
  errors: [
    'stripe_not_configured',
    'notice_too_short',
    'currency_stays',
    'price_change_open',
    'amount_not_possible',
  ],
})

export const callOffPriceChange = endpoint({
  method: 'POST',
  path: '/api/admin-prices/changes/:price_change_id/call-off',
  summary:
    'Members who pay already keep their price, and get a mail that says so. Possible until the date.',
  access: 'admin',
  audit: { settings: ['update'] },
  params: z.object({ price_change_id: z.uuid() }),
  output: prices,
  errors: ['price_change_not_found', 'price_change_begun'],
})

export const tryCheckout = endpoint({
  method: 'POST',
  path: '/api/admin-prices/try',
  summary:
    'Open a payment page at Stripe with the current prices and tax setting, and close it at once, to see whether Stripe accepts it.',
  access: 'admin',
  audit: 'reads',
  output: z.object({
    is_accepted: z.boolean().check(z.describe('Stripe opens the payment page.')),
    answer: z.nullable(z.string()).check(z.describe('Why not, in Stripe’s words.')),
  }),
  errors: ['stripe_not_configured'],
})
