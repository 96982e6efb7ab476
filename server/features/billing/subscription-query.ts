// The SELECT for a person's subscription on the billing screen. Tier, status and end come from the profile, which alone
// determines permissions; payment details come from `subscriptions`.
import { sql } from 'kysely'
import type { Subscription } from '#contract/admin/admin-billing.ts'
import type { Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/** Stripe statuses in which a subscription may still be charged. */
export const runningStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused']

/** Stripe statuses that grant Premium, or granted it until a payment failed. */
export const liveStatuses = ['active', 'trialing', 'past_due']

export function selectSubscriptions(handle: Handle) {
  return handle.query
    .selectFrom('profiles as p')
    .leftJoin('subscriptions as s', 's.user_id', 'p.id')
    .select([
      'p.id as user_id',
      'p.email',
      'p.display_name',
      'p.subscription_tier as tier',
      'p.subscription_status as status',
      's.payment_method',
      sql<boolean>`coalesce(s.is_manual, false)`.as('is_manual'),
      's.starts_at as start_date',
      'p.subscription_ends_at as renewal_date',
      sql<string | null>`case when p.subscription_status = 'active' then s.trial_ends_at end`.as(
        'trial_ends_at',
      ),
      's.notes',
      's.stripe_customer_id',
      (eb) =>
        eb
          .exists(
            eb
              .selectFrom('stripe_subscriptions as b')
              .select('b.id')
              .whereRef('b.user_id', '=', 'p.id')
              .where('b.status', 'in', runningStatuses)
              .where('b.event_is_simulated', '=', false),
          )
          .$castTo<boolean>()
          .as('is_billed'),
    ])
}

/** Throws `user_not_found`. */
export async function findSubscription(handle: Handle, userId: string): Promise<Subscription> {
  const row = await selectSubscriptions(handle).where('p.id', '=', userId).executeTakeFirst()
  if (!row) throw new AppError('user_not_found')
  return row
}
