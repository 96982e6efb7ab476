// The retention offer to a member who cancels: a discount for some months, set by the owner. Each member can accept it
// once a year. There is no offer during a trial, which is free anyway.
import type { Stripe } from 'stripe'
import type { OwnSubscription } from '#contract/own-subscription.ts'
import type { StripeSubscriptionRow } from '../../../platform/db/tables.ts'
import type { Database } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import { callStripe, isStripeError, type StripeAccess } from '../stripe-client.ts'
import type { StripeSettings } from '../stripe-settings.ts'

type Retention = StripeSettings['retention']

const yearMs = 365 * 24 * 3600 * 1000

/** Returns the offer, or null if there is currently none for this member. */
export async function findRetentionOffer(
  ctx: Pick<MemberContext, 'db' | 'now'>,
  { user_id, status, cancels }: StripeSubscriptionRow,
  { percent, months }: Retention,
): Promise<OwnSubscription['retention_offer']> {
  if (percent === 0 || status !== 'active' || cancels) return null
  const accepted = await ctx.db.query
    .selectFrom('stripe_subscriptions')
    .select('id')
    .where('user_id', '=', user_id)
    .where('retained_at', '>', new Date(ctx.now().getTime() - yearMs).toISOString())
    .executeTakeFirst()
  return accepted ? null : { percent_off: percent, months }
}

/**
 * Applies the offer's discount at Stripe. Throws `offer_not_available` if there is no offer, and `stripe_failed` if
 * Stripe returns an error.
 */
export async function applyRetentionOffer(
  stripe: StripeAccess,
  ctx: MemberContext,
  row: StripeSubscriptionRow,
  retention: Retention,
): Promise<void> {
  const isTaken =
    (await findRetentionOffer(ctx, row, retention)) !== null &&
    (await claimOffer(ctx.db, row.id, ctx.now().toISOString(), row.retained_at))
  if (!isTaken) throw new AppError('offer_not_available')
  try {
    await callStripe(stripe, (client) => addDiscount(client, row.id, retention))
  } catch (error) {
    await releaseOffer(ctx.db, row)
    throw error
  }
}

/** Records that the member has used the offer. Only one of two concurrent requests succeeds. */
async function claimOffer(
  db: Database,
  id: string,
  retained_at: string,
  before: string | null,
): Promise<boolean> {
  const taken = await db.query
    .updateTable('stripe_subscriptions')
    .set({ retained_at })
    .where('id', '=', id)
    .where('retained_at', 'is not distinct from', before)
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

async function releaseOffer(
  db: Database,
  { id, retained_at }: Pick<StripeSubscriptionRow, 'id' | 'retained_at'>,
): Promise<void> {
  await db.query
    .updateTable('stripe_subscriptions')
    .set({ retained_at })
    .where('id', '=', id)
    .execute()
}

/** Adds the offer's coupon to the subscription at Stripe, which keeps its existing discounts. */
async function addDiscount(client: Stripe, id: string, retention: Retention): Promise<void> {
  const coupon = await createCoupon(client, retention)
  const { discounts } = await client.subscriptions.retrieve(id)
  const kept = discounts.map((one) => ({ discount: typeof one === 'string' ? one : one.id }))
  await client.subscriptions.update(id, { discounts: [...kept, { coupon }] })
}

/** Creates the coupon at Stripe. Offers with the same percentage and months share one coupon. */
async function createCoupon(client: Stripe, { percent, months }: Retention): Promise<string> {
  const id = `velour-stay-${percent}-${months}`
  try {
    await client.coupons.create({
      id,
      name: `${percent}% off for ${months} months`,
      percent_off: percent,
      duration: 'repeating',
      duration_in_months: months,
    })
  } catch (error) {
    if (!isStripeError(error) || error.code !== 'resource_already_exists') throw error
  }
  return id
}
