// Refunds and cancellations in Stripe, for admins.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { refundFailures, refundReasons, refundStates } from '../../refunds.ts'

export const refund = z.object({
  id: z.uuid(),
  user_id: z.nullable(z.uuid()),
  email: z.nullable(z.string()),
  payment_id: z
    .nullable(z.uuid())
    .check(z.describe('The ledger entry. Null if the payment is not in the ledger.')),
  amount_cents: z.number(),
  currency: z.string(),
  reason: z.enum(refundReasons),
  state: z
    .enum(refundStates)
    .check(
      z.describe('`waiting`: Stripe has not responded yet. `refused`: the refund was not made.'),
    ),
  failure: z
    .nullable(z.enum(refundFailures))
    .check(z.describe('Why the refund was refused. Null if it was not.')),
  created_at: timestamp,
})
export type Refund = z.infer<typeof refund>

export const refundPayment = endpoint({
  method: 'POST',
  path: '/api/admin-billing/refunds',
  summary:
    "Refund a card payment in full or in part. The request is sent to Stripe within a minute. The ledger entry is added when Stripe's event arrives.",
  access: 'admin',
  needsConfirmation: true,
  pays: true,
  creates: true,
  audit: { subscription: ['update'] },
  body: z.object({
    payment_id: z.uuid(),
    amount_cents: z.int().check(z.minimum(1), z.maximum(100_000_000)),
    refunded_cents: z
      .int()
      .check(
        z.minimum(0),
        z.maximum(100_000_000),
        z.describe(
          "The payment's `refunded_cents` as last read. The request is refused if the value has changed, so that a double click does not refund twice.",
        ),
      ),
    reason: z.enum(refundReasons),
  }),
  output: refund,
  errors: [
    'payment_not_found',
    'not_refundable',
    'refund_too_large',
    'refunded_meanwhile',
    'stripe_not_configured',
  ],
})

export const listRefunds = endpoint({
  method: 'GET',
  path: '/api/admin-billing/refunds',
  summary: 'Pending refunds, and refunds that Stripe refused in the last 30 days.',
  access: 'admin',
  output: z.object({ data: z.array(refund) }),
})

export const endPersonSubscription = endpoint({
  method: 'POST',
  path: '/api/admin-users/:id/subscription/end',
  summary:
    "Cancel the person's Stripe subscription, immediately or at the end of the paid period. Nothing is refunded.",
  access: 'admin',
  needsConfirmation: true,
  audit: { subscription: ['update'] },
  params: z.object({ id: z.uuid() }),
  body: z.object({ when: z.enum(['now', 'period_end']) }),
  errors: ['user_not_found', 'no_subscription', 'stripe_not_configured', 'stripe_failed'],
})
