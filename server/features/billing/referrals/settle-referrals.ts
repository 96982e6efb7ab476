// Decides whether a paying friend earns both members a reward. The waiting period must be over, the payment must not be
// refunded, and the card must not have earned a reward before.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ReferralVoidReason } from '#contract/referrals.ts'
import { lockByName, lockNames } from '../../../platform/db/advisory-locks.ts'
import { transaction, type Database, type Transaction } from '../../../platform/db/database.ts'
import type { ReferralRow } from '../../../platform/db/tables.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import { callStripe, nullIfMissing, type StripeAccess } from '../stripe-client.ts'
import { readFingerprint } from '../used-trials.ts'
import { readReferralTerms } from './referral-operations.ts'

const batchSize = 20
const retryMs = 10 * 60_000
const yearMs = 365 * 24 * 3600_000
/** For how many days a reward may be revoked. Banks can reverse a payment for up to four months. */
const refundableDays = 180

interface Services {
  db: Database
  stripe: StripeAccess
}

/** Rewards or voids the referrals whose waiting period is over. Returns how many were rewarded or voided. */
export async function settleReferrals(services: Services, now: Date): Promise<number> {
  await voidRefunded(services.db, now)
  const due = await claimDue(services.db, now)
  let settled = 0
  for (const row of due) {
    try {
      await settle(services, now, row)
      settled++
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      services.db.log.warn(
        { err: error, referral_id: row.id },
        'A referral could not be settled yet',
      )
    }
  }
  return settled
}

/**
 * Returns the due referrals. Schedules their next attempt first, so that neither a crash nor another instance repeats
 * this attempt immediately.
 */
function claimDue(db: Database, now: Date): Promise<ReferralRow[]> {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('referrals')
      .selectAll()
      .where('state', '=', 'paid')
      .where('due_at', '<=', now.toISOString())
      .where((is) => is.or([is('try_after', 'is', null), is('try_after', '<=', now.toISOString())]))
      .orderBy('due_at')
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
      .execute()
    const try_after = new Date(now.getTime() + retryMs).toISOString()
    for (const { id } of due) {
      await trx.query.updateTable('referrals').set({ try_after }).where('id', '=', id).execute()
    }
    return due
  })
}

async function settle(services: Services, now: Date, row: ReferralRow): Promise<void> {
  const { id, friend_id, referrer_id } = row
  const friendCards = friend_id === null ? [] : await readCards(services, friend_id)
  const ownCards = referrer_id === null ? [] : await readCards(services, referrer_id)
  const isOwnCard = friendCards.some((card) => ownCards.includes(card))
  await transaction(services.db, async (trx) => {
    const current = await lockReferral(trx, id)
    if (current?.state !== 'paid') return
    if (friend_id === null || referrer_id === null) {
      return voidReferralRow(trx, now, id, 'account_deleted')
    }
    const isNewCard = !isOwnCard && (await claimCards(trx, id, friendCards))
    if (!isNewCard) return voidReferralRow(trx, now, id, 'same_card')
    await reward(trx, now, { ...current, friend_id, referrer_id })
  })
}

export function lockReferral(trx: Transaction, id: string): Promise<ReferralRow | undefined> {
  return trx.query
    .selectFrom('referrals')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns the hashes of the cards that pay for the person's subscriptions. */
async function readCards({ db, stripe }: Services, user_id: string): Promise<string[]> {
  const subscriptions = await db.query
    .selectFrom('stripe_subscriptions')
    .select('id')
    .where('user_id', '=', user_id)
    .where('event_is_simulated', '=', false)
    .execute()
  const cards: string[] = []
  for (const { id } of subscriptions) {
    const fingerprint = await callStripe(stripe, (client) =>
      nullIfMissing(readFingerprint(client, id)),
    )
    if (fingerprint === null) continue
    cards.push(createHash('sha256').update(`card:${fingerprint}`).digest('hex'))
  }
  return cards
}

/**
 * Records the newest of the cards with the referral. Returns false if another referral has recorded one of the cards.
 */
async function claimCards(trx: Transaction, id: string, cards: string[]): Promise<boolean> {
  if (cards.length === 0) return true
  const used = await trx.query
    .selectFrom('referrals')
    .select('id')
    .where('card_hash', 'in', cards)
    .where('id', '!=', id)
    .executeTakeFirst()
  if (used) return false
  const card_hash = cards.at(-1)!
  // The lock serializes concurrent referrals with the same card: the second one finds the card used.
  await lockByName(trx, lockNames.referralCard(card_hash))
  const taken = await trx.query
    .selectFrom('referrals')
    .select('id')
    .where('card_hash', '=', card_hash)
    .where('id', '!=', id)
    .executeTakeFirst()
  if (taken) return false
  await trx.query.updateTable('referrals').set({ card_hash }).where('id', '=', id).execute()
  return true
}

async function reward(
  trx: Transaction,
  now: Date,
  referral: ReferralRow & { friend_id: string; referrer_id: string },
): Promise<void> {
  const { id, months, friend_id, referrer_id } = referral
  // Lock the referrer, so that two concurrent referrals cannot exceed the yearly limit.
  await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', referrer_id)
    .forUpdate()
    .execute()
  const { yearly_limit } = await readReferralTerms(trx)
  const { count } = await trx.query
    .selectFrom('referral_rewards')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', referrer_id)
    .where('side', '=', 'referrer')
    .where('state', 'in', ['waiting', 'given'])
    .where('created_at', '>', new Date(now.getTime() - yearMs).toISOString())
    .executeTakeFirstOrThrow()
  const created_at = now.toISOString()
  const shared = { referral_id: id, months, created_at, try_after: created_at }
  await trx.query
    .insertInto('referral_rewards')
    .values([
      { ...shared, user_id: friend_id, side: 'friend' },
      {
        ...shared,
        user_id: referrer_id,
        side: 'referrer',
        ...(count >= yearly_limit && { state: 'over_limit' as const }),
      },
    ])
    .onConflict((conflict) => conflict.columns(['referral_id', 'side']).doNothing())
    .execute()
  await trx.query
    .updateTable('referrals')
    .set({ state: 'rewarded', settled_at: created_at })
    .where('id', '=', id)
    .execute()
}

/** Marks the referral as void. The next run of `carryOutRewards` revokes the unused part of its rewards. */
export async function voidReferralRow(
  trx: Transaction,
  now: Date,
  id: string,
  void_reason: ReferralVoidReason,
): Promise<void> {
  const at = now.toISOString()
  await trx.query
    .updateTable('referrals')
    .set({ state: 'void', void_reason, settled_at: at })
    .where('id', '=', id)
    .execute()
  await trx.query
    .updateTable('referral_rewards')
    .set({ state: 'ending', try_after: at })
    .where('referral_id', '=', id)
    .where('state', 'in', ['waiting', 'given'])
    .execute()
}

/**
 * Voids referrals of friends whose own payments were all returned by refunds or disputes. Payments for gifts do not
 * count, because gifts are for others.
 */
async function voidRefunded(db: Database, now: Date): Promise<void> {
  const since = new Date(now.getTime() - refundableDays * 86_400_000).toISOString()
  const { rows } = await sql<{ id: string }>`
    select r.id from referrals r
     where r.state in ('paid', 'rewarded') and r.paid_at > ${since}
       and exists (select from payments x where x.user_id = r.friend_id and x.amount_cents < 0)
       and (select sum(p.amount_cents) from payments p
             where p.user_id = r.friend_id and not p.is_simulated and p.stripe_payment_intent is null
               and not exists (select from payments g
                                where g.id = p.refund_of and g.stripe_payment_intent is not null)) <= 0
     limit ${batchSize}`.execute(db.query)
  for (const { id } of rows) {
    await transaction(db, async (trx) => {
      const row = await lockReferral(trx, id)
      if (row?.state === 'paid' || row?.state === 'rewarded') {
        await voidReferralRow(trx, now, id, 'refunded')
      }
    })
  }
}
