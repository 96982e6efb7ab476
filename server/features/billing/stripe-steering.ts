// Applies an admin's change to a plan that Stripe bills, first at Stripe, then in our database. Revoking Premium also
// stops the charges, so that nobody pays for something they cannot use (decision 0013).
import type { Stripe } from 'stripe'
import { sql } from 'kysely'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { Handle, Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { callStripe, nullIfMissing, type StripeAccess } from './stripe-client.ts'
import { runningStatuses } from './subscription-query.ts'

export interface StripePlanChange {
  /** Updates our own rows. The caller runs this in the transaction that changes the plan. */
  settle: (trx: Transaction) => Promise<void>
  /** What was done at Stripe, for the audit log. */
  done: 'canceled' | 'paused' | 'resumed' | null
}

/**
 * Changes the plan at Stripe: the tier free cancels the running subscriptions, the status active resumes collection,
 * and any other status pauses collection. Throws `stripe_runs_it` if the tier is not the one that Stripe bills. Throws
 * `stripe_failed` if Stripe fails: the caller must then change nothing.
 */
export async function changePlanAtStripe(
  { stripe }: { stripe: StripeAccess },
  handle: Handle,
  plan: { user_id: string; tier: Tier; status: SubscriptionStatus },
): Promise<StripePlanChange> {
  const running = await listRunning(handle, plan.user_id)
  if (running.length === 0) {
    const settle = (trx: Transaction) => detachFromStripe(trx, plan.user_id)
    return { settle: plan.status === 'active' ? settle : async () => {}, done: null }
  }
  const ids = running.map(({ id }) => id)
  if (plan.tier === 'free' || plan.status === 'canceled') {
    for (const id of ids) await callStripe(stripe, (client) => cancelAtStripe(client, id))
    return {
      settle: async (trx) => {
        await setStatus(trx, ids, 'canceled')
        await detachFromStripe(trx, plan.user_id)
      },
      done: 'canceled',
    }
  }
  if (plan.status !== 'active') {
    for (const id of ids) await callStripe(stripe, (client) => pauseAtStripe(client, id))
    return { settle: (trx) => setStatus(trx, ids, 'paused'), done: 'paused' }
  }
  if (!running.some(({ tier }) => tier === plan.tier)) throw new AppError('stripe_runs_it')
  const resting = running.filter(({ status }) => status === 'paused').map(({ id }) => id)
  if (resting.length === 0) return { settle: async () => {}, done: null }
  for (const id of resting) await callStripe(stripe, (client) => resumeAtStripe(client, id))
  return { settle: (trx) => setStatus(trx, resting, 'active'), done: 'resumed' }
}

/** Lists the subscriptions that Stripe still bills this person for. Simulated subscriptions do not exist at Stripe. */
export async function listRunning(handle: Handle, userId: string) {
  return handle.query
    .selectFrom('stripe_subscriptions')
    .select(['id', 'status', 'tier'])
    .where('user_id', '=', userId)
    .where('status', 'in', runningStatuses)
    .where('event_is_simulated', '=', false)
    .execute()
}

export async function cancelAtStripe(client: Stripe, id: string): Promise<void> {
  // The subscription is missing if it has already ended.
  await nullIfMissing(client.subscriptions.cancel(id))
}

/**
 * Pauses collection at Stripe, which voids the invoices of the paused period: they must not be charged later, because
 * Premium was not provided.
 */
export async function pauseAtStripe(client: Stripe, id: string): Promise<void> {
  await client.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
}

async function resumeAtStripe(client: Stripe, id: string): Promise<void> {
  await client.subscriptions.update(id, { pause_collection: '' })
}

/**
 * Enqueues a pause of the people's subscriptions, so that nobody is charged while banned. The ban takes effect
 * immediately, even if Stripe is unavailable. The worker pauses the charges later, if the person is still banned.
 */
export async function enqueueBanPause(trx: Transaction, userIds: readonly string[]): Promise<void> {
  await trx.query
    .insertInto('stripe_tasks')
    .columns(['subscription_id', 'task'])
    .expression((eb) =>
      eb
        .selectFrom('stripe_subscriptions as b')
        .innerJoin('profiles as p', 'p.id', 'b.user_id')
        .select(['b.id', sql.lit('pause_banned').as('task')])
        .where('p.id', 'in', userIds)
        .where('p.banned_at', 'is not', null)
        .where('b.status', 'in', runningStatuses)
        .where('b.status', '!=', 'paused')
        .where('b.event_is_simulated', '=', false),
    )
    .onConflict((conflict) => conflict.columns(['subscription_id', 'task']).doNothing())
    .execute()
}

/** Sets the status of our rows immediately. Stripe's event with the same status arrives later. */
async function setStatus(trx: Transaction, ids: string[], status: string): Promise<void> {
  await trx.query
    .updateTable('stripe_subscriptions')
    .set({ status })
    .where('id', 'in', ids)
    .execute()
}

/** Detaches the person's plan from Stripe, so that late events about ended subscriptions no longer change the plan. */
async function detachFromStripe(trx: Transaction, userId: string): Promise<void> {
  await trx.query
    .updateTable('stripe_subscriptions')
    .set({ let_go: true })
    .where('user_id', '=', userId)
    .execute()
  await trx.query
    .updateTable('subscriptions')
    .set({ stripe_subscription_id: null, grace_until: null, trial_ends_at: null })
    .where('user_id', '=', userId)
    .execute()
}
