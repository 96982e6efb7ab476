// An admin cancels a member's Stripe subscription: immediately, or at the end of the paid period.
import type { Stripe } from 'stripe'
import type * as contract from '#contract/admin/money/admin-refunds.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import {
  cancelNow,
  findOwnSubscription,
  hasPaidPeriod,
  saveStripeResponse,
  type MembershipServices,
} from '../membership/own-subscription.ts'
import { callStripe } from '../stripe-client.ts'
import { findSubscription } from '../subscription-query.ts'

export async function endPersonSubscription(
  services: MembershipServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.endPersonSubscription>,
): Promise<void> {
  await findSubscription(ctx.db, params.id)
  const row = await findOwnSubscription(ctx.db, params.id)
  if (!row) throw new AppError('no_subscription')
  const isAtOnce = body.when === 'now' || !hasPaidPeriod(row)
  const answer = await callStripe<Stripe.Subscription | null>(services.stripe, (client) =>
    isAtOnce
      ? cancelNow(client, row.id, {})
      : client.subscriptions.update(row.id, { cancel_at_period_end: true }),
  )
  await saveStripeResponse(services, ctx, row, answer, (trx) =>
    writeAudit(ctx, trx, {
      action: 'update',
      entity: 'subscription',
      entity_id: params.id,
      after: { stripe: isAtOnce ? 'canceled' : 'cancels at the end of the period' },
    }),
  )
}
