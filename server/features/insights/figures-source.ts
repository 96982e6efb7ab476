// Chooses the tables that the statistics are read from. Real data is aggregated by a job and excludes demo accounts.
// Demo data consists of generated data and the actual plays of demo accounts. The two are never added together.
import { sql, type RawBuilder } from 'kysely'
import type { Figures } from '#contract/admin/insights.ts'
import { byMembers, selectDayTotals, selectTrackTotals } from './roll-up-plays.ts'

export interface FiguresSource {
  /** `days`, `money` and `tracks` have the columns of `insight_days`, `money_days` and `track_days`. */
  days: RawBuilder<unknown>
  money: RawBuilder<unknown>
  tracks: RawBuilder<unknown>
  /** Monthly sums with the columns of `track_months`. Null if there is only daily data. */
  months: RawBuilder<unknown> | null
  /** The SQL condition on `user_id` that selects the plays and payments to count. */
  accounts: RawBuilder<unknown>
}

const real: FiguresSource = {
  days: sql`insight_days`,
  money: sql`money_days`,
  tracks: sql`track_days`,
  months: sql`track_months`,
  accounts: byMembers,
}

const byDemoAccounts = sql`user_id = any (array(select id from profiles where is_demo))`

const demo: FiguresSource = {
  days: sql`(
    select day, sum(starts)::int as starts, sum(plays)::int as plays, sum(previews)::int as previews,
           sum(completed)::int as completed, sum(heard_seconds)::bigint as heard_seconds,
           sum(listeners)::int as listeners, sum(listeners_7d)::int as listeners_7d, sum(sign_ups)::int as sign_ups
      from (
        select day, starts, plays, previews, completed, heard_seconds, listeners, listeners_7d, sign_ups
          from demo_insight_days
        union all
        select *, 0, 0 from (${selectDayTotals(byDemoAccounts)}) own
      ) u group by day)`,
  money: sql`demo_money_days`,
  tracks: sql`(
    select day, track_id, starts, plays, previews, completed, heard_seconds, left_at, conversions from demo_track_days
    union all
    select *, 0 from (${selectTrackTotals(byDemoAccounts)}) own)`,
  months: null,
  accounts: byDemoAccounts,
}

export const figuresSource = (figures: Figures): FiguresSource => (figures === 'demo' ? demo : real)
