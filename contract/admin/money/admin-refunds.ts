// Refunds and ends of subscriptions, made at Stripe, for admins.
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
    .check(z.describe('The entry of the ledger. Null: a payment that is not in it.')),
  amount_cents: z.number(),
  currency: z.string(),
  reason: z.enum(refundReasons),
  state: z
    .enum(refundStates)
    .check(
      z.describe('`waiting`: Stripe has not answered yet. `refused`: it does not take place.'),
    ),
  failure: z
    .nullable(z.enum(refundFailures))
    .check(z.describe('Why it was refused. Null: it was not.')),
  created_at: timestamp,
})
export type Refund = z.infer<typeof refund>

export const refundPayment = endpoint({
  method: 'POST',
  path: '/api/admin-billing/refunds',
  summary:
    'Refund a card payment, whole or in part. The request is sent to Stripe within a minute; the ledger entry follows with its event.',
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
          '`refunded_cents` of the payment as it was read. Another value is refused, so that two clicks make one refund.',
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
  summary: 'Refunds that are waiting, and those of the last 30 days that Stripe refused.',
  access: 'admin',
  output: z.object({ data: z.array(refund) }),
})

export const endPersonSubscription = endpoint({
  method: 'POST',
  path: '/api/admin-users/:id/subscription/end',
  summary:
    'Cancel what Stripe bills the person for: at once, or at the end of what is paid. Nothing is refunded by it.',
  access: 'admin',
  needsConfirmation: true,
  audit: { subscription: ['update'] },
  params: z.object({ id: z.uuid() }),
  body: z.object({ when: z.enum(['now', 'period_end']) }),
  errors: ['user_not_found', 'no_subscription', 'stripe_not_configured', 'stripe_failed'],
})
