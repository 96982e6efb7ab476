// Lists members' reasons for canceling, for the owner.
import { sql } from 'kysely'
import { cancelFeedbacks, type CancelReason } from '#contract/cancellations.ts'
import type { listCancellations as contract } from '#contract/admin/money/admin-cancellations.ts'
import type { Output } from '#contract/endpoint.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'

const countedDays = 90
const shownRecent = 50

/** Lists the cancellations of the last 90 days, except those of members who resumed the subscription. */
export async function listCancellations(ctx: MemberContext): Promise<Output<typeof contract>> {
  const since = new Date(ctx.now().getTime() - countedDays * 24 * 3600 * 1000).toISOString()
  const canceled = ctx.db.query
    .selectFrom('stripe_subscriptions as b')
    .where('b.cancel_asked_at', '>', since)
    .where('b.event_is_simulated', '=', false)
  const [counts, recent] = await Promise.all([
    canceled
      .select(['b.cancel_feedback', 'b.cancel_reason', sql<number>`count(*)::int`.as('count')])
      .groupBy(['b.cancel_feedback', 'b.cancel_reason'])
      .execute(),
    canceled
      .innerJoin('profiles as p', 'p.id', 'b.user_id')
      .select([
        'p.id as user_id',
        'p.email',
        'b.tier',
        'b.cancel_feedback',
        'b.cancel_reason',
        'b.cancel_comment as comment',
        sql<string>`b.cancel_asked_at`.as('canceled_at'),
        'b.ends_at',
      ])
      .orderBy('b.cancel_asked_at', 'desc')
      .orderBy('b.id')
      .limit(shownRecent)
      .execute(),
  ])
  const sums = new Map<CancelReason, number>()
  for (const row of counts) {
    const reason = getCancellationReason(row)
    sums.set(reason, (sums.get(reason) ?? 0) + row.count)
  }
  return {
    counts: [...sums]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
    recent: recent.map(({ cancel_feedback, cancel_reason, ...row }) => ({
      ...row,
      reason: getCancellationReason({ cancel_feedback, cancel_reason }),
    })),
  }
}

export function getCancellationReason(row: {
  cancel_feedback: string | null
  cancel_reason: string | null
}): CancelReason {
  const given = cancelFeedbacks.find((feedback) => feedback === row.cancel_feedback)
  return given ?? (row.cancel_reason === 'payment_failed' ? 'payment_failed' : 'none')
}
