// Subscriptions for admins. All actions share one path, and the request body names the action.
import * as z from 'zod/mini'
import { dayOrMoment, timestamp } from '../fields/dates.ts'
import { describeShape, mergeShapes } from '../response-shapes.ts'
import { paymentFailures } from '../payment-failures.ts'
import { currencies } from '../currencies.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination, sortDirections } from '../fields/pagination.ts'
import { paymentMethods, subscriptionStatuses, tiers } from '../plans.ts'

export const subscription = z.object({
  user_id: z.uuid(),
  email: z.string(),
  display_name: z.string(),
  tier: z.enum(tiers),
  status: z.enum(subscriptionStatuses),
  payment_method: z.nullable(z.enum([...paymentMethods, 'stripe'])),
  is_manual: z.boolean(),
  start_date: z.nullable(timestamp),
  renewal_date: z.nullable(timestamp),
  trial_ends_at: z
    .nullable(timestamp)
    .check(z.describe('When the free trial ends. Null if the plan is not in a trial.')),
  notes: z.nullable(z.string()),
  stripe_customer_id: z.nullable(z.string()),
  is_billed: z
    .boolean()
    .check(z.describe('Whether the person has a Stripe subscription that may still be charged.')),
})
export type Subscription = z.infer<typeof subscription>

export const subscriptionSummary = z.object({
  total_users: z.number(),
  active_subscribers: z.number(),
  premium_users: z.number(),
})

/** A failed payment that Stripe may still collect by itself, or that the member may still pay. */
export const paymentAtRisk = z.object({
  user_id: z.uuid(),
  email: z.string(),
  amount_cents: z.number(),
  currency: z.string(),
  reason: z.enum(paymentFailures),
  failed_at: timestamp,
  next_try_at: z
    .nullable(timestamp)
    .check(z.describe('When Stripe retries the payment. Null if no automatic retry is scheduled.')),
  premium_until: z
    .nullable(timestamp)
    .check(z.describe('When Premium ends if the payment is not made. Null if it has ended.')),
})
export type PaymentAtRisk = z.infer<typeof paymentAtRisk>

export const paymentKinds = ['payment', 'refund', 'correction'] as const
export type PaymentKind = (typeof paymentKinds)[number]

/** An entry of the payment ledger, which is append-only. */
export const payment = z.object({
  id: z.uuid(),
  kind: z.enum(paymentKinds),
  amount_cents: z
    .number()
    .check(z.describe('The amount in the smallest unit of the currency. Negative for a refund.')),
  currency: z.string(),
  payment_method: z.enum([...paymentMethods, 'stripe']),
  tier: z.nullable(z.enum(tiers)),
  is_simulated: z
    .boolean()
    .check(z.describe('Whether it was created with Webhook Test, without real money.')),
  paid_at: timestamp,
  refunded_cents: z
    .number()
    .check(z.describe('The refunded amount of a payment, including refunds in progress.')),
  is_refundable: z
    .boolean()
    .check(z.describe('Whether it was paid through Stripe and can be refunded there.')),
  receipt_number: z
    .nullable(z.number())
    .check(
      z.describe('The receipt number of a manually recorded payment. Null if there is no receipt.'),
    ),
  voided_by: z
    .nullable(z.number())
    .check(z.describe('The number of the receipt that voids this one.')),
})
export type Payment = z.infer<typeof payment>

/** Case-insensitive: the forms send 'Active', the database stores 'active'. */
const lowercased = z.string().check(z.trim(), z.toLowerCase())
const status = z.pipe(lowercased, z.enum(subscriptionStatuses))
const tier = z.pipe(lowercased, z.enum(tiers))
const payment_method = z.pipe(lowercased, z.enum(paymentMethods))
const user_id = z.uuid('User ID is required')
const maxAmountCents = 100_000_000
const note = z.nullable(z.string().check(z.trim(), z.maxLength(2000)))

const manualBody = z.object({
  action: z.literal('manual_update_subscription'),
  user_id,
  tier,
  status,
  payment_method,
  notes: z.optional(note),
  start_date: z.optional(dayOrMoment),
  end_date: z
    .optional(z.nullable(dayOrMoment))
    .check(
      z.describe(
        'Null for no end date. If absent, the previous date is kept, unless it would end the given plan.',
      ),
    ),
  amount_cents: z
    .optional(z.int().check(z.minimum(1), z.maximum(maxAmountCents)))
    .check(
      z.describe(
        'The amount paid, for the ledger. Omit it if nothing was paid or the amount is unknown.',
      ),
    ),
})

const noAmount = 'Please enter an amount.'
const paid = z.int(noAmount).check(z.minimum(1, noAmount), z.maximum(maxAmountCents))
const taken = z.int(noAmount).check(z.minimum(-maxAmountCents), z.maximum(-1, noAmount))
const paymentFields = {
  action: z.literal('record_payment'),
  user_id,
  payment_method,
  currency: z
    .optional(z.enum(currencies))
    .check(z.describe('Defaults to the currency of the prices.')),
}

/** Amounts must be positive. Only corrections may be negative. */
const paymentBody = z.discriminatedUnion('kind', [
  z.object({ ...paymentFields, kind: z.enum(['payment', 'refund']), amount_cents: paid }),
  z.object({
    ...paymentFields,
    kind: z.literal('correction'),
    amount_cents: z.union([paid, taken], noAmount),
  }),
])

export const subscriptionFilters = {
  q: z
    .optional(z.string().check(z.maxLength(200)))
    .check(z.describe('A substring of the email address or name.')),
  tier: z.optional(tier),
  status: z.optional(status),
  payment_method: z.optional(z.enum([...paymentMethods, 'stripe', 'none'])),
  renews_from: z
    .optional(dayOrMoment)
    .check(z.describe('The plan renews or ends on or after this day or time.')),
  renews_to: z.optional(dayOrMoment),
  notes: z
    .optional(z.enum(['with', 'without']))
    .check(z.describe('Whether the subscription has a note.')),
}

export const subscriptionSorts = [
  'email',
  'tier',
  'status',
  'payment_method',
  'renewal_date',
  'notes',
  'created_at',
] as const
export type SubscriptionSort = (typeof subscriptionSorts)[number]

export const runBillingAction = endpoint({
  method: 'POST',
  path: '/api/admin-billing',
  summary:
    'Run the action named in the body: `list_subscriptions`, `get_subscription`, `manual_update_subscription`, `update_subscription`, `update_payment_method`, `update_note`, `get_stripe_links`, `list_payments` or `record_payment`.',
  access: 'admin',
  pays: true,
  audit: { subscription: ['update'] },
  body: z.discriminatedUnion('action', [
    z.object({
      action: z.literal('list_subscriptions'),
      ...subscriptionFilters,
      sort: z._default(z.enum(subscriptionSorts), 'created_at'),
      direction: z._default(z.enum(sortDirections), 'desc'),
      ...pageQuery(50),
    }),
    manualBody,
    z.object({ action: z.literal('update_subscription'), user_id, tier, status }),
    z.object({ action: z.literal('update_payment_method'), user_id, payment_method }),
    z.object({ action: z.literal('update_note'), user_id, note }),
    z.object({ action: z.literal('get_subscription'), user_id }),
    z.object({ action: z.literal('get_stripe_links'), user_id }),
    z.object({ action: z.literal('list_payments'), user_id }),
    paymentBody,
  ]),
  output: mergeShapes(
    describeShape('For `list_subscriptions`.', {
      subscriptions: z.array(subscription),
      summary: subscriptionSummary,
      at_risk: z
        .array(paymentAtRisk)
        .check(z.describe('Failed payments of all members, newest first, at most 100.')),
      pagination,
    }),
    describeShape('For `get_subscription` and changes: the current subscription.', {
      subscription,
    }),
    describeShape('For `get_stripe_links`.', { links: z.object({ customer_portal: z.string() }) }),
    describeShape("For `list_payments`: the person's ledger entries, newest first.", {
      payments: z.array(payment),
    }),
  ),
  errors: [
    'user_not_found',
    'stripe_not_configured',
    'stripe_failed',
    'invalid_period',
    'not_manual',
    'stripe_runs_it',
    'refund_too_large',
  ],
})
