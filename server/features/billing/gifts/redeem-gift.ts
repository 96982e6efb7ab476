// Redeems a gift, which gives a manual plan with an end date. Stripe subscriptions are not changed: a subscriber's gift
// starts when their paid plan has ended. A gift never renews.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { giftMonths, type redeemGift as contract } from '#contract/gifts.ts'
import { transaction, type Database } from '../../../platform/db/database.ts'
import type { GiftRow } from '../../../platform/db/tables.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import { findSubscription } from '../subscription-query.ts'
import { hashGiftCode } from './gift-code.ts'
import { grantMonths } from './manual-months.ts'

/**
 * Redeems the gift with this code. The row lock serializes concurrent redemptions: the second one finds the gift
 * redeemed.
 */
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
    const period = await grantMonths(trx, now, monthsOf(gift, user_id))
    await trx.query
      .updateTable('gifts')
      .set({ redeemed_by: user_id, redeemed_at: now.toISOString(), ...period })
      .where('id', '=', gift.id)
      .execute()
    const months = giftMonths.find((count) => count === gift.months) ?? 1
    return { months, starts: period ? 'now' : 'later', ends_at: period?.plan_to ?? null }
  })
}

const monthsOf = ({ id, months }: Pick<GiftRow, 'id' | 'months'>, user_id: string) => ({
  user_id,
  months,
  source: { gift: id },
})

const batchSize = 100

/** Starts redeemed gifts that were waiting for the end of the member's plan. Returns how many started. */
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
    // Another gift of this person has just started. This gift keeps waiting until that one has ended.
    if (status === 'active') return false
    const period = await grantMonths(trx, now, monthsOf(gift, gift.redeemed_by))
    if (!period) return false
    await trx.query.updateTable('gifts').set(period).where('id', '=', id).execute()
    return true
  })
}
