// Writes a plan that an admin gives or revokes to the profile, which permission checks read. The stored end date is
// removed if it would end the new plan.
import { sql } from 'kysely'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { selectExpiredPlans } from './expire-subscriptions.ts'

/** Permanent tiers: monthly payments neither extend nor end them. */
export function isPermanent(tier: Tier): boolean {
  return tier === 'lifetime' || tier === 'comped'
}

/**
 * Writes tier, status and end date. `ends_at: null` removes the end date; without `ends_at` the stored date is kept, so
 * that a deactivated yearly plan can be reactivated. A stored date is removed if it has passed, or if the tier changes
 * to a permanent one. The caller must hold the lock on the person's row, and must call `saveSubscriptionFacts` first.
 */
export async function setPlan(
  trx: Transaction,
  now: Date,
  plan: { user_id: string; tier: Tier; status: SubscriptionStatus; ends_at?: string | null },
): Promise<void> {
  const { user_id, tier, status, ends_at } = plan
  const kept = isPermanent(tier)
    ? sql<string | null>`case when subscription_tier = ${tier} then subscription_ends_at end`
    : sql<string | null>`subscription_ends_at`
  await trx.query
    .updateTable('profiles')
    .set({
      subscription_tier: tier,
      subscription_status: status,
      subscription_ends_at: ends_at === undefined ? kept : ends_at,
      updated_at: now.toISOString(),
    })
    .where('id', '=', user_id)
    .execute()
  if (ends_at !== undefined) return
  await trx.query
    .updateTable('profiles')
    .set({ subscription_ends_at: null })
    .where(
      'id',
      'in',
      selectExpiredPlans(trx, now).clearSelect().select('p.id').where('p.id', '=', user_id),
    )
    .execute()
}
