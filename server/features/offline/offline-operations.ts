// Computes the lease of a device: until when it may play its downloads without contacting the server.
import type { Output } from '#contract/endpoint.ts'
import { offlineLeaseDays } from '#contract/offline.ts'
import type * as contract from '#contract/offline.ts'
import { canPlayOffline } from '../billing/entitlements.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

const dayMs = 24 * 3600 * 1000

export async function getOfflineLease(
  ctx: MemberContext,
): Promise<Output<typeof contract.getOfflineLease>> {
  if (!canPlayOffline(ctx.actor)) throw new AppError('premium_required')
  const now = ctx.now()
  const longest = new Date(now.getTime() + offlineLeaseDays * dayMs)
  const end = (await findEnd(ctx, now)) ?? longest
  if (end <= now) throw new AppError('premium_required')
  return {
    issued_at: now.toISOString(),
    expires_at: (end < longest ? end : longest).toISOString(),
  }
}

/** The end of the paid period or, after that, the end of the grace period for late payments. */
async function findEnd({ actor, db }: MemberContext, now: Date): Promise<Date | null> {
  if (actor.subscription_ends_at === null) return null
  const end = new Date(actor.subscription_ends_at)
  if (end > now) return end
  const row = await db.query
    .selectFrom('subscriptions')
    .select('grace_until')
    .where('user_id', '=', actor.user_id)
    .where('is_manual', '=', false)
    .executeTakeFirst()
  return row?.grace_until ? new Date(row.grace_until) : end
}
