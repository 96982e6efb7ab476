// Grants earned referral rewards, and revokes the unused part of voided ones. If Stripe bills the member, a coupon
// makes the next monthly payments free, or takes one twelfth per month off a yearly plan. Otherwise the member gets
// Premium with an end date, like a gift. A reward is never given as a trial: Stripe counts a trial as no revenue, and
// its end as a purchase.
import type { Stripe } from 'stripe'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction, type Database, type Transaction } from '../../../platform/db/database.ts'
import type { ReferralRewardRow } from '../../../platform/db/tables.ts'
import { referralRewardMail } from '../../../platform/mail/referral-mails.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import { grantMonths, revokeMonths } from '../gifts/manual-months.ts'
import { sendNotice, type SendBillingMail } from '../notices/billing-mailer.ts'
import { callStripe, isStripeError, nullIfMissing, type StripeAccess } from '../stripe-client.ts'
import { listRunning } from '../stripe-steering.ts'
import { nextAttemptAt } from '../../../platform/jobs/next-attempt.ts'

const batchSize = 20
const longestPauseMs = 15 * 60_000
const couponPrefix = 'velour-friend-'

interface Services {
  db: Database
  stripe: StripeAccess
  sendMail: SendBillingMail
}

type Reward = ReferralRewardRow & { user_id: string }

/** Grants or revokes the due rewards and returns how many succeeded. The others are retried later. */
export async function carryOutRewards(services: Services, now: Date): Promise<number> {
  let done = 0
  for (const row of await claimDue(services.db, now)) {
    try {
      if (
        await (row.state === 'ending'
          ? revokeReward(services, now, row)
          : grantReward(services, now, row))
      )
        done++
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      services.db.log.warn(
        { err: error, reward_id: row.id },
        'A referral reward could not be granted yet',
      )
    }
  }
  return done
}

/**
 * Returns the due rewards. Schedules their next attempt first, so that neither a crash nor another instance repeats
 * this attempt immediately.
 */
function claimDue(db: Database, now: Date): Promise<Reward[]> {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('referral_rewards as w')
      .innerJoin('profiles as p', 'p.id', 'w.user_id')
      .selectAll('w')
      .where('w.state', 'in', ['waiting', 'ending'])
      .where('w.try_after', '<=', now.toISOString())
      .where((is) => is.or([is('p.banned_at', 'is', null), is('w.state', '=', 'ending')]))
      .orderBy('w.try_after')
      .orderBy('w.id')
      .limit(batchSize)
      .forUpdate('w')
      .skipLocked()
      .execute()
    for (const { id, tries } of due) {
      const try_after = nextAttemptAt(now, tries, longestPauseMs)
      await trx.query
        .updateTable('referral_rewards')
        .set({ tries: tries + 1, try_after })
        .where('id', '=', id)
        .execute()
    }
    return due.flatMap((row) => (row.user_id === null ? [] : [{ ...row, user_id: row.user_id }]))
  })
}

async function grantReward(services: Services, now: Date, row: Reward): Promise<boolean> {
  const running = await listRunning(services.db, row.user_id)
  if (running.length === 0) return grantUnlessPermanent(services, now, row)
  const target = await findRenewing(services.db, row.user_id)
  if (!target) return false
  const isGiven = await callStripe(services.stripe, (client) => addDiscount(client, target, row))
  if (!isGiven) return false
  return transaction(services.db, async (trx) => {
    const state = { way: 'coupon', subscription_id: target.id } as const
    if (!(await markAsGiven(trx, now, row, state))) return false
    await writeAudit({ actor: null, ip: '' }, trx, {
      action: 'update',
      entity: 'subscription',
      entity_id: row.user_id,
      after: { stripe: 'discounted', months: row.months, referral: row.referral_id },
    })
    await sendMail(services.sendMail, trx, row, 'coupon')
    return true
  })
}

/** Finds a subscription whose next payment can be discounted: not past due, not in a trial and not canceled. */
async function findRenewing(
  db: Database,
  user_id: string,
): Promise<{ id: string; tier: 'monthly' | 'yearly' } | null> {
  const row = await db.query
    .selectFrom('stripe_subscriptions')
    .select(['id', 'tier'])
    .where('user_id', '=', user_id)
    .where('status', '=', 'active')
    .where('cancels', '=', false)
    .where('let_go', '=', false)
    .where('event_is_simulated', '=', false)
    .where('tier', 'in', ['monthly', 'yearly'])
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst()
  return row?.tier === 'monthly' || row?.tier === 'yearly' ? { id: row.id, tier: row.tier } : null
}

/**
 * Grants the reward as months of Premium. Returns false while the member's Premium has no end date. The reward is then
 * retried, because an admin may set an end date later.
 */
async function grantUnlessPermanent(services: Services, now: Date, row: Reward): Promise<boolean> {
  try {
    return await grantAsMonths(services, now, row)
  } catch (error) {
    if (error instanceof AppError && error.code === 'gift_not_needed') return false
    throw error
  }
}

function grantAsMonths(services: Services, now: Date, row: Reward): Promise<boolean> {
  return transaction(services.db, async (trx) => {
    const { user_id, months, referral_id: referral } = row
    const period = await grantMonths(trx, now, { user_id, months, source: { referral } })
    if (!period || !(await markAsGiven(trx, now, row, { way: 'months', ...period }))) return false
    await sendMail(services.sendMail, trx, row, 'months')
    return true
  })
}

/**
 * Records how the reward was given. Returns false if the reward has been revoked in the meantime; the next run then
 * revokes the unused part.
 */
async function markAsGiven(
  trx: Transaction,
  now: Date,
  { id }: Reward,
  given: Pick<ReferralRewardRow, 'way'> & Partial<ReferralRewardRow>,
): Promise<boolean> {
  const current = await trx.query
    .selectFrom('referral_rewards')
    .select('state')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!current) return false
  const isWaiting = current.state === 'waiting'
  await trx.query
    .updateTable('referral_rewards')
    .set({
      ...given,
      given_at: now.toISOString(),
      ...(isWaiting && { state: 'given' as const }),
    })
    .where('id', '=', id)
    .execute()
  return isWaiting
}

function sendMail(
  send: SendBillingMail,
  trx: Transaction,
  { id, user_id, side, months }: Reward,
  way: 'coupon' | 'months',
): Promise<void> {
  const notice = { user_id, kind: 'referral_reward', key: id } as const
  return sendNotice(trx, send, notice, (to, site) =>
    referralRewardMail(to, site, { months, side, way }),
  )
}

const couponOf = ({ id }: Pick<Reward, 'id'>) => `${couponPrefix}${id}`

/**
 * Adds the coupon to the subscription's existing discounts. Returns false while a monthly plan has another unused
 * reward, because both would discount the same month. Returns true if an earlier attempt has already added the coupon.
 */
async function addDiscount(
  client: Stripe,
  target: { id: string; tier: 'monthly' | 'yearly' },
  row: Reward,
): Promise<boolean> {
  const coupon = couponOf(row)
  const discounts = await readDiscounts(client, target.id)
  if (discounts.some((one) => one.coupon === coupon)) return true
  const isTaken = discounts.some((one) => one.coupon?.startsWith(couponPrefix))
  if (isTaken && target.tier === 'monthly') return false
  await createCoupon(client, coupon, target.tier, row.months)
  await client.subscriptions.update(target.id, {
    discounts: [...discounts.map(({ id }) => ({ discount: id })), { coupon }],
  })
  return true
}

async function readDiscounts(
  client: Stripe,
  subscription: string,
): Promise<{ id: string; coupon: string | null }[]> {
  const { discounts } = await client.subscriptions.retrieve(subscription, {
    expand: ['discounts'],
  })
  return discounts.map((one) => {
    if (typeof one === 'string') return { id: one, coupon: null }
    const { coupon } = one.source
    return { id: one.id, coupon: typeof coupon === 'string' ? coupon : (coupon?.id ?? null) }
  })
}

/**
 * Creates the reward's coupon at Stripe: 100 % off for these months of a monthly plan, or one twelfth per month off a
 * yearly plan. The coupon can be redeemed once.
 */
async function createCoupon(
  client: Stripe,
  id: string,
  tier: 'monthly' | 'yearly',
  months: number,
): Promise<void> {
  const percent_off = tier === 'monthly' ? 100 : Math.round((months / 12) * 10_000) / 100
  const isRepeating = tier === 'monthly' && months > 1
  try {
    await client.coupons.create({
      id,
      name: months === 1 ? 'A friend joined: 1 month' : `A friend joined: ${months} months`,
      percent_off,
      max_redemptions: 1,
      ...(isRepeating
        ? { duration: 'repeating' as const, duration_in_months: months }
        : { duration: 'once' as const }),
    })
  } catch (error) {
    if (!isStripeError(error) || error.code !== 'resource_already_exists') throw error
  }
}

/** Revokes the unused part of a reward: the coupon if the subscription still has it, or the remaining months. */
async function revokeReward(services: Services, now: Date, row: Reward): Promise<boolean> {
  const { subscription_id } = row
  if (row.way === 'coupon' && subscription_id !== null) {
    await callStripe(services.stripe, (client) => removeCoupon(client, subscription_id, row))
  }
  return transaction(services.db, async (trx) => {
    const { user_id, plan_from, plan_to, referral_id: referral } = row
    const reason = 'the reward for a friend was taken back'
    if (plan_from !== null && plan_to !== null) {
      const source = { referral }
      await revokeMonths(trx, now, { user_id, plan_from, plan_to, source, reason })
    } else if (row.way === 'coupon') {
      await writeAudit({ actor: null, ip: '' }, trx, {
        action: 'update',
        entity: 'subscription',
        entity_id: user_id,
        after: { stripe: 'discount removed', referral, reason },
      })
    }
    await trx.query
      .updateTable('referral_rewards')
      .set({ state: 'ended' })
      .where('id', '=', row.id)
      .execute()
    return true
  })
}

/**
 * Removes the reward's coupon from the subscription and deletes it. Does nothing if the subscription has ended or the
 * coupon no longer exists.
 */
async function removeCoupon(client: Stripe, subscription: string, row: Reward): Promise<void> {
  const coupon = couponOf(row)
  const discounts = (await nullIfMissing(readDiscounts(client, subscription))) ?? []
  const kept = discounts.filter((one) => one.coupon !== coupon)
  if (kept.length < discounts.length) {
    await nullIfMissing(
      client.subscriptions.update(subscription, {
        discounts: kept.length === 0 ? '' : kept.map(({ id }) => ({ discount: id })),
      }),
    )
  }
  await nullIfMissing(client.coupons.del(coupon))
}
