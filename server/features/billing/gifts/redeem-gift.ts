// Redeeming a gift gives a manual plan that ends. What Stripe bills is left alone: for people who pay, the gift starts
// when their plan has ended, and nothing renews by surprise.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { giftMonths, type redeemGift as contract } from '#contract/gifts.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction, type Database, type Transaction } from '../../../platform/db/database.ts'
import type { GiftRow } from '../../../platform/db/tables.ts'
import { notify } from '../../../platform/events/event-bus.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import { saveSubscriptionFacts } from '../save-subscription-facts.ts'
import { isPermanent, setPlan } from '../set-plan.ts'
import { listRunning } from '../stripe-steering.ts'
import { findSubscription } from '../subscription-query.ts'
import { hashGiftCode } from './gift-code.ts'

/** Of two redemptions at once the second one waits for the row, and finds it redeemed. */
export async function redeemGift(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract>,
): Promise<Output<typeof contract>> {
  const { user_id } = ctx.actor
  return transaction(ctx.db, async (trx) => {
    const gift = await trx.query
      .selectFrom('gifts')
      .selectAll()
      .where('code_hash', '=', hashGiftCode(body.code))
      .where('refunded_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!gift) throw new AppError('gift_code_invalid')
    if (gift.redeemed_at !== null) throw new AppError('gift_redeemed')
    const now = ctx.now()
    const period = await startGift(trx, now, gift, user_id)
    await trx.query
      .updateTable('gifts')
      .set({ redeemed_by: user_id, redeemed_at: now.toISOString(), ...period })
      .where('id', '=', gift.id)
      .execute()
    const months = giftMonths.find((count) => count === gift.months) ?? 1
    return { months, starts: period ? 'now' : 'later', ends_at: period?.plan_to ?? null }
  })
}

/**
 * Gives the plan, after a gift that runs already. Null if Stripe bills the person: it starts later. Throws
 * `gift_not_needed` for people whose Premium has no end.
 */
async function startGift(
  trx: Transaction,
  now: Date,
  { id, months }: Pick<GiftRow, 'id' | 'months'>,
  user_id: string,
): Promise<{ plan_from: string; plan_to: string } | null> {
  await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', user_id)
    .forUpdate()
    .execute()
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
  const plan_to = afterMonths(plan_from, months)
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
    after: { tier: plan.tier, status: plan.status, renewal_date: plan_to, gift: id },
  })
  await notify(trx, 'sessions', user_id)
  return { plan_from, plan_to }
}

/** The last day of a month where the next one is shorter. */
function afterMonths(from: string, months: number): string {
  const end = new Date(from)
  const day = end.getUTCDate()
  end.setUTCMonth(end.getUTCMonth() + months)
  if (end.getUTCDate() !== day) end.setUTCDate(0)
  return end.toISOString()
}

const batchSize = 100

/** Starts gifts of people whose plan has ended. Returns how many. */
export async function startWaitingGifts(db: Database, now: Date): Promise<number> {
  const waiting = await db.query
    .selectFrom('gifts as g')
    .innerJoin('profiles as p', 'p.id', 'g.redeemed_by')
    .select('g.id')
    .where('g.redeemed_at', 'is not', null)
    .where('g.plan_from', 'is', null)
    .where('g.refunded_at', 'is', null)
    .where('p.subscription_status', '!=', 'active')
    .orderBy('g.redeemed_at')
    .orderBy('g.id')
    .limit(batchSize)
    .execute()
  let started = 0
  for (const { id } of waiting) if (await startWaiting(db, now, id)) started++
  return started
}

function startWaiting(db: Database, now: Date, id: string): Promise<boolean> {
  return transaction(db, async (trx) => {
    const gift = await trx.query
      .selectFrom('gifts')
      .selectAll()
      .where('id', '=', id)
      .where('plan_from', 'is', null)
      .where('refunded_at', 'is', null)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!gift?.redeemed_by) return false
    const { status } = await findSubscription(trx, gift.redeemed_by)
    // An earlier gift has started: this one comes after it.
    if (status === 'active') return false
    const period = await startGift(trx, now, gift, gift.redeemed_by)
    if (!period) return false
    await trx.query.updateTable('gifts').set(period).where('id', '=', id).execute()
    return true
  })
}
