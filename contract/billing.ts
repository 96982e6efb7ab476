// Buying Premium: the prices, the link to the payment page, and Stripe's webhook.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { promotionCode } from './promotion-code.ts'
import { paymentPageLimit } from './rate-limit.ts'

export const paidPlans = ['monthly', 'yearly'] as const
export type PaidPlan = (typeof paidPlans)[number]

/** Query parameter added when Stripe's payment page returns to /subscribe: 'done' or 'canceled'. */
export const checkoutParam = 'checkout'

export const plan = z.object({
  plan: z.enum(paidPlans),
  price_cents: z.number(),
  currency: z.string(),
  trial_days: z
    .number()
    .check(
      z.describe(
        'Length of the free trial in days. 0 if there is no trial or this person has already had one.',
      ),
    ),
})
export type Plan = z.infer<typeof plan>

export const listPlans = endpoint({
  method: 'GET',
  path: '/api/billing/plans',
  summary: 'The prices of Premium, and whether it can be bought yet.',
  access: 'anyone',
  output: z.object({
    data: z.array(plan),
    trial_needs_card: z.boolean().check(z.describe('Whether starting a trial requires a card.')),
    is_purchase_live: z
      .boolean()
      .check(
        z.describe("Whether Premium can be bought. If false, the screen shows 'Coming Soon'."),
      ),
  }),
})

export const startCheckout = endpoint({
  method: 'POST',
  path: '/api/billing/checkout',
  summary:
    'Open a Stripe payment page for this plan. A member has one open page at a time: a repeated call for the same plan returns the same page, and a call for another plan closes the previous page.',
  access: 'member',
  pays: true,
  tokens: 'refused',
  body: z.object({
    plan: z.enum(paidPlans),
    promotion_code: z
      .optional(promotionCode)
      .check(z.describe('A promotion code. If absent, the payment page has a field for it.')),
  }),
  output: z.object({ url: z.string() }),
  rateLimit: paymentPageLimit,
  errors: [
    'stripe_not_configured',
    'already_subscribed',
    'checkout_replaced',
    'promotion_code_invalid',
    'stripe_failed',
  ],
})

export const openBillingPortal = endpoint({
  method: 'POST',
  path: '/api/billing/portal',
  summary: 'The URL of the Stripe page where the member can change the card or plan, or cancel.',
  access: 'member',
  tokens: 'refused',
  output: z.object({ url: z.string() }),
  rateLimit: paymentPageLimit,
  errors: ['stripe_not_configured', 'stripe_failed'],
})

export const webhookOutcomes = ['applied', 'duplicate', 'outdated', 'ignored'] as const
export type WebhookOutcome = (typeof webhookOutcomes)[number]

export const receiveBillingEvent = endpoint({
  method: 'POST',
  path: '/api/billing-webhook',
  summary:
    'Receive an event from Stripe, signed in the Stripe-Signature header. An unsigned event from an admin is a test. It has the same effect, and its results are marked as simulated.',
  access: 'anyone',
  audit: { subscription: ['simulate', 'update'] },
  headers: {
    'Stripe-Signature?': 'Timestamp and signature of the body, created with the webhook’s secret.',
  },
  /** A Stripe event: `id`, `type`, `created` (Unix time in seconds), `data.object`. */
  body: z.record(z.string(), z.unknown()),
  output: z.object({
    received: z.literal(true),
    outcome: z
      .enum(webhookOutcomes)
      .check(
        z.describe(
          'Whether the event was applied, or ignored: because it is a duplicate, is older than the stored state, would replace real state with simulated state, or does not concern this service.',
        ),
      ),
    is_simulated: z.boolean(),
  }),
  duringMaintenance: true,
  errors: [
    'unauthenticated',
    'forbidden',
    'second_factor_required',
    'webhook_invalid',
    'stripe_failed',
  ],
})
