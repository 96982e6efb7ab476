// Grants and revokes months of Premium that are not billed: gifts, and rewards for referring friends. Several grants
// run one after another. The unused part of each grant can be revoked.
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { notify } from '../../../platform/events/event-bus.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import { saveSubscriptionFacts } from '../save-subscription-facts.ts'
import { isPermanent, setPlan } from '../set-plan.ts'
import { listRunning } from '../stripe-steering.ts'
import { findSubscription } from '../subscription-query.ts'

/** The gift or referral that the months come from, for the audit log. */
type Source = { gift: string } | { referral: string }

interface Period {
  plan_from: string
  plan_to: string
}

/**
 * Adds months of Premium after the end of the person's current plan. Returns null if Stripe bills the person: the
 * months can then be granted after the subscription has ended. Throws `gift_not_needed` if the person's Premium has no
 * end date.
 */
export async function grantMonths(
  trx: Transaction,
  now: Date,
  { user_id, months, source }: { user_id: string; months: number; source: Source },
): Promise<Period | null> {
  await lockPerson(trx, user_id)
  const before = await findSubscription(trx, user_id)
  if ((await listRunning(trx, user_id)).length > 0) return null
  const isActive = before.status === 'active'
  if (isActive && (isPermanent(before.tier) || before.renewal_date === null)) {
    throw new AppError('gift_not_needed')
  }
  const plan_from =
    isActive && before.renewal_date !== null && before.renewal_date > now.toISOString()
      ? before.renewal_date
      : now.toISOString()
  const plan_to = addMonths(plan_from, months)
  await saveSubscriptionFacts(trx, user_id, {
    payment_method: 'other',
    is_manual: true,
    trial_ends_at: null,
    ...(!isActive && { starts_at: plan_from }),
    updated_at: now.toISOString(),
  })
  const plan = { user_id, tier: 'premium', status: 'active', ends_at: plan_to } as const
  await setPlan(trx, now, plan)
  await writeAudit({ actor: null, ip: '' }, trx, {
    action: 'update',
    entity: 'subscription',
    entity_id: user_id,
    before: { tier: before.tier, status: before.status, renewal_date: before.renewal_date },
    after: { tier: plan.tier, status: plan.status, renewal_date: plan_to, ...source },
  })
  await notify(trx, 'sessions', user_id)
  return { plan_from, plan_to }
}

/**
 * Shortens the plan by the unused part of these months. Gifts and rewards that start later start earlier by the same
 * time. Does nothing if the person now has another kind of plan.
 */
export async function revokeMonths(
  trx: Transaction,
  now: Date,
  given: Period & { user_id: string; source: Source; reason: string },
): Promise<void> {
  const { user_id, plan_from, plan_to, source, reason } = given
  await lockPerson(trx, user_id)
  const plan = await trx.query
    .selectFrom('profiles as p')
    .innerJoin('subscriptions as s', 's.user_id', 'p.id')
    .select(['p.subscription_ends_at as ends_at'])
    .where('p.id', '=', user_id)
    .where('p.subscription_status', '=', 'active')
    .where('p.subscription_tier', '=', 'premium')
    .where('s.is_manual', '=', true)
    .executeTakeFirst()
  if (!plan?.ends_at) return
  const from = Math.max(Date.parse(plan_from), now.getTime())
  const unusedMs = Math.min(Date.parse(plan_to), Date.parse(plan.ends_at)) - from
  if (unusedMs <= 0) return
  const earlier = (moment: string) => new Date(Date.parse(moment) - unusedMs).toISOString()
  const ends_at = earlier(plan.ends_at)
  // If no time is left, the next expiry sweep ends the plan.
  await trx.query
    .updateTable('profiles')
    .set({ subscription_ends_at: ends_at })
    .where('id', '=', user_id)
    .execute()
  await moveFollowingMonths(trx, { user_id, after: plan_to }, earlier)
  await writeAudit({ actor: null, ip: '' }, trx, {
    action: 'update',
    entity: 'subscription',
    entity_id: user_id,
    before: { renewal_date: plan.ends_at },
    after: { renewal_date: ends_at, ...source, reason },
  })
  await notify(trx, 'sessions', user_id)
}

async function moveFollowingMonths(
  trx: Transaction,
  { user_id, after }: { user_id: string; after: string },
  earlier: (moment: string) => string,
): Promise<void> {
  const gifts = await trx.query
    .selectFrom('gifts')
    .select(['id', 'plan_from', 'plan_to'])
    .where('redeemed_by', '=', user_id)
    .where('plan_from', '>=', after)
    .where('refunded_at', 'is', null)
    .execute()
  for (const { id, plan_from, plan_to } of gifts) {
    if (plan_from === null || plan_to === null) continue
    await trx.query
      .updateTable('gifts')
      .set({ plan_from: earlier(plan_from), plan_to: earlier(plan_to) })
      .where('id', '=', id)
      .execute()
  }
  const rewards = await trx.query
    .selectFrom('referral_rewards')
    .select(['id', 'plan_from', 'plan_to'])
    .where('user_id', '=', user_id)
    .where('plan_from', '>=', after)
    .where('state', '=', 'given')
    .execute()
  for (const { id, plan_from, plan_to } of rewards) {
    if (plan_from === null || plan_to === null) continue
    await trx.query
      .updateTable('referral_rewards')
      .set({ plan_from: earlier(plan_from), plan_to: earlier(plan_to) })
      .where('id', '=', id)
      .execute()
  }
}

async function lockPerson(trx: Transaction, user_id: string): Promise<void> {
  await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', user_id)
    .forUpdate()
    .execute()
}

/** Adds calendar months. Uses the last day of the month if the target month is shorter. */
function addMonths(from: string, months: number): string {
  const end = new Date(from)
  const day = end.getUTCDate()
  end.setUTCMonth(end.getUTCMonth() + months)
  if (end.getUTCDate() !== day) end.setUTCDate(0)
  return end.toISOString()
}
