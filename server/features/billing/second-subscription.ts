// A second subscription of one person, bought here while the first one runs: the newer one is canceled at Stripe and
// paid back (decision 94). Subscriptions that the owner creates in Stripe are left alone.
import type { Handle, Transaction } from '../../platform/db/database.ts'
import { liveStatuses } from './subscription-query.ts'

/** Ids of the person's subscriptions that are not the first one. The person's row must be locked. */
export async function enqueueDuplicates(trx: Transaction, userId: string): Promise<void> {
  for (const id of await findDuplicates(trx, userId)) {
    await trx.query
      .insertInto('stripe_tasks')
      .values({ subscription_id: id, task: 'cancel_duplicate' })
      .onConflict((conflict) => conflict.columns(['subscription_id', 'task']).doNothing())
      .execute()
  }
}

export async function findDuplicates(handle: Handle, userId: string): Promise<string[]> {
  const live = await handle.query
    .selectFrom('stripe_subscriptions')
    .select(['id', 'bought_here'])
    .where('user_id', '=', userId)
    .where('status', 'in', liveStatuses)
    .where('event_is_simulated', '=', false)
    .where('let_go', '=', false)
    .where('started_at', 'is not', null)
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return live.slice(1).flatMap(({ id, bought_here }) => (bought_here ? [id] : []))
}
