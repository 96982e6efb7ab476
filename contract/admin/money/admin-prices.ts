// The prices of Premium, which are created in Stripe, and price changes for existing subscribers.
import * as z from 'zod/mini'
import { currencies } from '../../currencies.ts'
import { endpoint } from '../../endpoint.ts'
import { day, timestamp } from '../../fields/dates.ts'

/** Subscribers are notified by email at least this long before they pay a new price. */
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
    z.describe('Subscribers pay the new price from their first renewal on or after this date.'),
  ),
  waiting: z
    .number()
    .check(z.describe('Subscribers who have been notified and still pay the old price.')),
  moved: z.number().check(z.describe('Subscribers whose next payment is at the new price.')),
  left: z.number().check(z.describe('Subscribers whose subscription ends or has ended.')),
  refused: z
    .array(z.object({ user_id: z.uuid(), email: z.string(), failure: z.string() }))
    .check(
      z.describe(
        'Subscribers whose price could not be changed in Stripe, with the reason. At most 100.',
      ),
    ),
})
export type PriceChange = z.infer<typeof priceChange>

export const prices = z.object({
  is_configured: z.boolean().check(z.describe('False if no Stripe key is set.')),
  currency: z.string(),
  monthly_cents: z
    .number()
    .check(z.describe('The monthly price, in the smallest unit of the currency.')),
  yearly_cents: z.number(),
  made: z
    .nullable(z.object({ state: z.enum(priceSetStates), failure: z.nullable(z.string()) }))
    .check(z.describe('The latest prices created in Stripe. Null if there are none.')),
  change: z
    .nullable(priceChange)
    .check(z.describe('The latest price change for existing subscribers. Null if there was none.')),
})
export type Prices = z.infer<typeof prices>

const amount = z.int().check(z.minimum(1), z.maximum(100_000_000))

export const getPrices = endpoint({
  method: 'GET',
  path: '/api/admin-prices',
  summary: 'The prices of Premium, and the latest price change for existing subscribers.',
  access: 'admin',
  output: prices,
})

export const setPrices = endpoint({
  method: 'POST',
  path: '/api/admin-prices',
  summary:
    'Create prices in Stripe and use them for new purchases. Existing subscribers keep their price, or move to the new one after notice.',
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
          'Existing subscribers are notified by email and pay the new price from their first renewal on or after this day, which must be at least 30 days ahead. Null if they keep their price.',
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
    'Cancel a price change before its date. Existing subscribers keep their price and are notified by email.',
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
    'Open a payment page in Stripe with the current prices and tax setting, and close it immediately, to check whether Stripe accepts them.',
  access: 'admin',
  audit: 'reads',
  output: z.object({
    is_accepted: z.boolean().check(z.describe('Whether Stripe accepted the payment page.')),
    answer: z
      .nullable(z.string())
      .check(z.describe("Stripe's error message. Null if Stripe accepted it.")),
  }),
  errors: ['stripe_not_configured'],
})
