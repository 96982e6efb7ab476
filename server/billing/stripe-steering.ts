// What an admin decides about a plan that Stripe bills is carried out at Stripe first: taking Premium
// away ends the charges with it, and nobody is charged for what they do not get (decision 0013).
import { Stripe } from 'stripe'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { Handle, Transaction } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import { askStripe } from './stripe-client.ts'
import { runningStatuses } from './subscription-query.ts'

export interface Steering {
  /** Brings our own rows in line, in the transaction of the change. */
  settle: (trx: Transaction) => Promise<void>
  /** For the audit trail: what was done at Stripe. */
  done: 'canceled' | 'paused' | 'resumed' | null
}

/**
 * Free cancels what runs at Stripe, any other status than active pauses its charges, active resumes them.
 * Throws `stripe_runs_it` for another tier than the one that Stripe bills, `stripe_failed` when Stripe
 * does not do it: then nothing may change here.
 */
export async function steerStripe(
  { stripe }: { stripe: Stripe | null },
  handle: Handle,
  plan: { user_id: string; tier: Tier; status: SubscriptionStatus },
): Promise<Steering> {
  const running = await listRunning(handle, plan.user_id)
  if (running.length === 0) {
    const settle = (trx: Transaction) => letGo(trx, plan.user_id)
    return { settle: plan.status === 'active' ? settle : async () => {}, done: null }
  }
  const ids = running.map(({ id }) => id)
  if (plan.tier === 'free' || plan.status === 'canceled') {
    for (const id of ids) await askStripe(stripe, (client) => cancel(client, id))
    return {
      settle: async (trx) => {
        await setStatus(trx, ids, 'canceled')
        await letGo(trx, plan.user_id)
      },
      done: 'canceled',
    }
  }
  if (plan.status !== 'active') {
    for (const id of ids) await askStripe(stripe, (client) => pause(client, id))
    return { settle: (trx) => setStatus(trx, ids, 'paused'), done: 'paused' }
  }
  if (!running.some(({ tier }) => tier === plan.tier)) throw new AppError('stripe_runs_it')
  const resting = running.filter(({ status }) => status === 'paused').map(({ id }) => id)
  if (resting.length === 0) return { settle: async () => {}, done: null }
  for (const id of resting) await askStripe(stripe, (client) => resume(client, id))
  return { settle: (trx) => setStatus(trx, resting, 'active'), done: 'resumed' }
}

/** What Stripe still bills this person for; what was only tried out is not at Stripe. */
export async function listRunning(handle: Handle, userId: string) {
  return handle.query
    .selectFrom('stripe_subscriptions')
    .select(['id', 'status', 'tier'])
    .where('user_id', '=', userId)
    .where('status', 'in', runningStatuses)
    .where('event_is_simulated', '=', false)
    .execute()
}

async function cancel(client: Stripe, id: string): Promise<void> {
  try {
    await client.subscriptions.cancel(id)
  } catch (error) {
    // It has ended already.
    if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return
    throw error
  }
}

/** Invoices of that time are void: nothing is collected later for what was not given. */
async function pause(client: Stripe, id: string): Promise<void> {
  await client.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
}

async function resume(client: Stripe, id: string): Promise<void> {
  await client.subscriptions.update(id, { pause_collection: '' })
}

/** Stripe's own event about it comes later and says the same. */
async function setStatus(trx: Transaction, ids: string[], status: string): Promise<void> {
  await trx.query
    .updateTable('stripe_subscriptions')
    .set({ status })
    .where('id', 'in', ids)
    .execute()
}

/** From here on the plan is the admin's word; late events about what ended at Stripe do not undo it. */
async function letGo(trx: Transaction, userId: string): Promise<void> {
  await trx.query
    .updateTable('stripe_subscriptions')
    .set({ let_go: true })
    .where('user_id', '=', userId)
    .execute()
  await trx.query
    .updateTable('subscriptions')
    .set({ stripe_subscription_id: null, grace_until: null })
    .where('user_id', '=', userId)
    .execute()
}
