// Stores how a plan is paid, in `subscriptions`. The tier, status and end date are stored on the profile.
import type { Subscription } from '#contract/admin/admin-billing.ts'
import type { Transaction } from '../../platform/db/database.ts'

export async function saveSubscriptionFacts(
  trx: Transaction,
  user_id: string,
  facts: {
    payment_method?: Subscription['payment_method']
    is_manual?: boolean
    trial_ends_at?: null
    starts_at?: string
    notes?: string | null
    updated_at?: string
  },
): Promise<void> {
  await trx.query
    .insertInto('subscriptions')
    .values({ user_id, ...facts })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(facts))
    .execute()
}
