// Finds second subscriptions that a member bought here while the first one was running, and enqueues their cancellation
// and refund (decision 94). Subscriptions that the owner created in Stripe are not canceled.
import { sql } from 'kysely'
import type { Handle, Transaction } from '../../platform/db/database.ts'
import { liveStatuses } from './subscription-query.ts'

/**
 * Enqueues the cancellation of the person's second subscriptions. The caller must hold the lock on the person's row.
 */
export async function enqueueDuplicateCancellations(
  trx: Transaction,
  userId: string,
): Promise<void> {
  for (const id of await findDuplicateSubscriptions(trx, userId)) {
    await trx.query
      .insertInto('stripe_tasks')
      .values({ subscription_id: id, task: 'cancel_duplicate' })
      .onConflict((conflict) => conflict.columns(['subscription_id', 'task']).doNothing())
      .execute()
  }
}

/**
 * Only recent subscriptions are canceled. Subscriptions that have run side by side for longer are considered
 * intentional.
 */
const isRecent = sql<boolean>`started_at > now() - interval '7 days'`.as('is_recent')

/** Returns the ids of the person's recent subscriptions, except the oldest running one. */
export async function findDuplicateSubscriptions(
  handle: Handle,
  userId: string,
): Promise<string[]> {
  const running = await handle.query
    .selectFrom('stripe_subscriptions')
    .select(['id', 'bought_here', isRecent])
    .where('user_id', '=', userId)
    .where('status', 'in', liveStatuses)
    .where('event_is_simulated', '=', false)
    .where('let_go', '=', false)
    .where('started_at', 'is not', null)
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return running
    .slice(1)
    .flatMap(({ id, bought_here, is_recent }) => (bought_here && is_recent ? [id] : []))
}
