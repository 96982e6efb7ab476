// Reports members' cancellation reasons and referrals by month. They are counted without aggregates, because there are
// few such rows.
import { sql } from 'kysely'
import type { CancelReason } from '#contract/cancellations.ts'
import type { getMembershipInsights as contract } from '#contract/admin/money/membership-insights.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { getCancellationReason } from '../billing/membership/list-cancellations.ts'
import { validateRange, type DayRange } from './insight-operations.ts'

export async function getMembershipInsights(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract>,
): Promise<Output<typeof contract>> {
  validateRange(query)
  const months = monthsOf(query)
  const [canceled, offers, joined, paid] = await Promise.all([
    readCancellations(ctx, query),
    readOffers(ctx, query),
    readJoined(ctx, query),
    readPaid(ctx, query),
  ])
  const perMonth = (rows: readonly { month: string; count: number }[]) =>
    months.map((month) => sum(rows.filter((row) => row.month === month)))
  const reasons = new Map<CancelReason, typeof canceled>()
  for (const row of canceled) {
    const reason = getCancellationReason(row)
    reasons.set(reason, [...(reasons.get(reason) ?? []), row])
  }
  const counted = (name: 'kept' | 'rewarded', rows: readonly Counted[]) =>
    perMonth(rows.map((row) => ({ month: row.month, count: row[name] ?? 0 })))
  return {
    months,
    reasons: [...reasons]
      .map(([reason, rows]) => ({ reason, counts: perMonth(rows), total: sum(rows) }))
      .toSorted((a, b) => b.total - a.total || a.reason.localeCompare(b.reason))
      .map(({ reason, counts }) => ({ reason, counts })),
    offers_taken: perMonth(offers),
    offers_kept: counted('kept', offers),
    referred: perMonth(joined),
    referred_paid: perMonth(paid),
    referred_rewarded: counted('rewarded', paid),
  }
}

interface Counted {
  month: string
  count: number
  kept?: number
  rewarded?: number
}

const sum = (rows: readonly { count: number }[]) =>
  rows.reduce((total, { count }) => total + count, 0)

function monthsOf({ start, end }: DayRange): string[] {
  const months: string[] = []
  const month = new Date(`${start.slice(0, 7)}-01T00:00:00Z`)
  while (month.toISOString().slice(0, 7) <= end.slice(0, 7)) {
    months.push(month.toISOString().slice(0, 7))
    month.setUTCMonth(month.getUTCMonth() + 1)
  }
  return months
}

const monthOf = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM')`

/** Returns the SQL condition that a timestamp is within the range of UTC days. */
const isWithin = (column: string, { start, end }: DayRange) =>
  sql<boolean>`${sql.ref(column)} >= (${start}::date)::timestamp at time zone 'utc'
    and ${sql.ref(column)} < (${end}::date + 1)::timestamp at time zone 'utc'`

const count = sql<number>`count(*)::int`.as('count')

function readCancellations({ db }: MemberContext, range: DayRange) {
  return db.query
    .selectFrom('stripe_subscriptions as b')
    .select([
      'b.cancel_feedback',
      'b.cancel_reason',
      monthOf('b.cancel_asked_at').as('month'),
      count,
    ])
    .where(isWithin('b.cancel_asked_at', range))
    .where('b.event_is_simulated', '=', false)
    .groupBy(['b.cancel_feedback', 'b.cancel_reason', 'month'])
    .execute()
}

function readOffers({ db }: MemberContext, range: DayRange): Promise<Counted[]> {
  return db.query
    .selectFrom('stripe_subscriptions as b')
    .select([
      monthOf('b.retained_at').as('month'),
      count,
      sql<number>`(count(*) filter (where b.status = 'active' and not b.cancels))::int`.as('kept'),
    ])
    .where(isWithin('b.retained_at', range))
    .where('b.event_is_simulated', '=', false)
    .groupBy('month')
    .execute()
}

function readJoined({ db }: MemberContext, range: DayRange): Promise<Counted[]> {
  return db.query
    .selectFrom('referrals as r')
    .select([monthOf('r.joined_at').as('month'), count])
    .where(isWithin('r.joined_at', range))
    .groupBy('month')
    .execute()
}

function readPaid({ db }: MemberContext, range: DayRange): Promise<Counted[]> {
  return db.query
    .selectFrom('referrals as r')
    .select([
      monthOf('r.paid_at').as('month'),
      count,
      sql<number>`(count(*) filter (where r.state = 'rewarded'))::int`.as('rewarded'),
    ])
    .where(isWithin('r.paid_at', range))
    .groupBy('month')
    .execute()
}
