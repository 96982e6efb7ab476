// Finds the person whom a Stripe subscription belongs to, and updates that person's plan. The end of a Stripe
// subscription revokes only what that subscription granted. Only an admin ends a plan that an admin gave.
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { Context } from '../../platform/operations/context.ts'
import type { BillingFact } from './stripe-event.ts'
import { enqueueDuplicateCancellations } from './second-subscription.ts'
import { isPermanent } from './set-plan.ts'
import { runningStatuses } from './subscription-query.ts'
import type { StripeSettings } from './stripe-settings.ts'
import { toProfile, type StripeProfile } from './stripe-state.ts'

/**
 * Finds the person by the Stripe customer. If the customer is unknown, uses the user id that our checkout stored in the
 * purchase's metadata. Null if the purchase was not made here.
 */
export async function findPerson(trx: Transaction, fact: BillingFact): Promise<string | null> {
  const owner = await trx.query
    .selectFrom('subscriptions')
    .select('user_id')
    .where('stripe_customer_id', '=', fact.customer_id)
    .executeTakeFirst()
  if (owner || fact.claimed_user_id === null) return owner?.user_id ?? null
  const person = await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', fact.claimed_user_id)
    .executeTakeFirst()
  return person?.id ?? null
}

/**
 * Updates the person's profile and row in `subscriptions` from the person's Stripe subscriptions. Returns the end date
 * if the plan has just ended, otherwise null.
 */
export async function applyToPerson(
  ctx: Context,
  trx: Transaction,
  userId: string,
  { grace_days }: Pick<StripeSettings, 'grace_days'>,
): Promise<{ ended_at: string } | null> {
  const before = await lockPerson(trx, userId)
  await enqueueDuplicateCancellations(trx, userId)
  const rows = await trx.query
    .selectFrom('stripe_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .execute()
  const real = rows.filter(({ event_is_simulated }) => !event_is_simulated)
  const isBilled = real.some(({ status }) => runningStatuses.includes(status ?? ''))
  // Ignore simulated subscriptions if there is a real one that may still be charged.
  const options = { now: ctx.now(), graceDays: grace_days }
  const after = toProfile(isBilled ? real : rows, options)
  if (!before || !after || !canChangePlan(before, after)) return null
  const row = rows.find(({ id }) => id === after.subscription_id)
  // A simulated customer has no portal and cannot pay.
  const customer_id = row?.event_is_simulated ? null : (row?.customer_id ?? null)
  await saveBillingFacts(ctx, trx, userId, after, customer_id)
  await saveProfile(ctx, trx, userId, before, after)
  // Notify even if the profile row did not change, because the profile screen also shows columns of `subscriptions`.
  await notify(trx, 'sessions', userId)
  // A paused plan has not ended, because an admin can resume it.
  const hasEnded =
    before.status === 'active' && after.status !== 'active' && row?.status !== 'paused'
  return hasEnded ? { ended_at: after.ends_at ?? ctx.now().toISOString() } : null
}

type Person = NonNullable<Awaited<ReturnType<typeof lockPerson>>>

async function lockPerson(trx: Transaction, userId: string) {
  await trx.query.selectFrom('profiles').select('id').where('id', '=', userId).forUpdate().execute()
  return trx.query
    .selectFrom('profiles as p')
    .leftJoin('subscriptions as s', 's.user_id', 'p.id')
    .select([
      'p.subscription_tier as tier',
      'p.subscription_status as status',
      'p.subscription_ends_at as ends_at',
      's.is_manual',
      's.stripe_subscription_id',
    ])
    .where('p.id', '=', userId)
    .executeTakeFirst()
}

function canChangePlan(before: Person, after: StripeProfile): boolean {
  if (before.status === 'active' && isPermanent(before.tier)) return false
  if (after.status === 'active' || before.status !== 'active') return true
  return before.is_manual === false && before.stripe_subscription_id !== null
}

async function saveBillingFacts(
  ctx: Context,
  trx: Transaction,
  user_id: string,
  after: StripeProfile,
  customer_id: string | null,
): Promise<void> {
  const facts = {
    payment_method: 'stripe' as const,
    is_manual: false,
    starts_at: after.started_at,
    stripe_subscription_id: after.subscription_id,
    grace_until: after.grace_until,
    trial_ends_at: after.trial_ends_at,
    updated_at: ctx.now().toISOString(),
    ...(customer_id !== null && { stripe_customer_id: customer_id }),
  }
  await trx.query
    .insertInto('subscriptions')
    .values({ user_id, ...facts })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(facts))
    .execute()
}

async function saveProfile(
  ctx: Context,
  trx: Transaction,
  userId: string,
  before: Person,
  { tier, status, ends_at }: StripeProfile,
): Promise<void> {
  if (before.tier === tier && before.status === status && before.ends_at === ends_at) return
  await trx.query
    .updateTable('profiles')
    .set({ subscription_tier: tier, subscription_status: status, subscription_ends_at: ends_at })
    .where('id', '=', userId)
    .execute()
  await writeAudit(ctx, trx, {
    action: 'update',
    entity: 'subscription',
    entity_id: userId,
    before: { tier: before.tier, status: before.status, renewal_date: before.ends_at },
    after: { tier, status, renewal_date: ends_at, payment_method: 'stripe' },
  })
}
