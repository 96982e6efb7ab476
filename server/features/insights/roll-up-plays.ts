// Aggregates plays per day (UTC) and track. When a play is reported, its full day is recomputed, so that repeated
// reports change nothing.
import { sql, type RawBuilder } from 'kysely'
import { curveParts } from '#contract/admin/insights.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'

/**
 * Returns the days (such as `2026-11-21`) of plays that were reported since this time, or of all plays if `since` is
 * null.
 */
export async function findPlayedDays(db: Database, since: Date | null): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct to_char(started_at at time zone 'utc', 'YYYY-MM-DD') as day
      from plays
     where ${since === null ? sql`true` : sql`reported_at >= ${since.toISOString()}::timestamptz`}
     order by 1`.execute(db.query)
  return rows.map(({ day }) => day)
}

export async function rollUpDay(db: Database, day: string): Promise<void> {
  await transaction(db, async (trx) => {
    await rollUpTracks(trx, day)
    await rollUpTotals(trx, day)
  })
}

const from = (day: string) => sql`(${day}::date)::timestamp at time zone 'utc'`
const to = (day: string) => sql`(${day}::date + 1)::timestamp at time zone 'utc'`

const parts = Array.from({ length: curveParts + 1 }, (_, part) => part)

/** Excludes plays of demo accounts, because their passwords are public. */
export const byMembers = sql`user_id <> all (array(select id from profiles where is_demo))`
const playDay = sql`(started_at at time zone 'utc')::date`

/** Aggregates the plays that match `condition` per day and track. */
export function selectTrackTotals(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const leftAt = sql.join(
    parts.map((part) => sql`count(*) filter (where not is_preview and part = ${sql.lit(part)})`),
  )
  return sql`
    select day, track_id,
           count(*) filter (where not is_preview)::int as starts,
           count(*) filter (where not is_preview and is_counted)::int as plays,
           count(*) filter (where is_preview and is_counted)::int as previews,
           count(*) filter (where not is_preview and completed)::int as completed,
           sum(heard_seconds)::bigint as heard_seconds,
           array[${leftAt}]::integer[] as left_at
      from (
        select ${playDay} as day, track_id, is_preview, counted_at is not null as is_counted, completed, heard_seconds,
               case when completed then ${sql.lit(curveParts)}
                    when duration_seconds <= 0 then 0
                    else least(${sql.lit(curveParts - 1)},
                               floor(position_seconds / duration_seconds * ${sql.lit(curveParts)}))::int
               end as part
          from plays
         where ${condition}
      ) p
     group by day, track_id`
}

async function rollUpTracks(trx: Transaction, day: string): Promise<void> {
  await sql`
    insert into track_days as t
      (day, track_id, starts, plays, previews, completed, heard_seconds, left_at)
    ${selectTrackTotals(sql`${isOn(day)} and ${byMembers}`)}
    on conflict (track_id, day) do update
       set starts = excluded.starts, plays = excluded.plays, previews = excluded.previews,
           completed = excluded.completed, heard_seconds = excluded.heard_seconds,
           left_at = excluded.left_at
     where (t.starts, t.plays, t.previews, t.completed, t.heard_seconds, t.left_at) is distinct from
           (excluded.starts, excluded.plays, excluded.previews, excluded.completed,
            excluded.heard_seconds, excluded.left_at)`.execute(trx.query)
}

const isOn = (day: string) => sql`started_at >= ${from(day)} and started_at < ${to(day)}`

const counts = sql`
  count(*) filter (where not is_preview)::int as starts,
  count(*) filter (where not is_preview and counted_at is not null)::int as plays,
  count(*) filter (where is_preview and counted_at is not null)::int as previews,
  count(*) filter (where not is_preview and completed)::int as completed,
  coalesce(sum(heard_seconds), 0)::bigint as heard_seconds,
  count(distinct user_id) filter (where counted_at is not null)::int as listeners`

/** Aggregates the plays that match `condition` per day. */
export function selectDayTotals(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${playDay} as day, ${counts} from plays where ${condition} group by 1`
}

async function rollUpTotals(trx: Transaction, day: string): Promise<void> {
  // Without `group by`, the query always returns a row, even if all plays of the day have been deleted.
  await sql`
    insert into insight_days (day, starts, plays, previews, completed, heard_seconds, listeners)
    select ${day}::date, ${counts} from plays where ${isOn(day)} and ${byMembers}
    on conflict (day) do update
       set starts = excluded.starts, plays = excluded.plays, previews = excluded.previews,
           completed = excluded.completed, heard_seconds = excluded.heard_seconds,
           listeners = excluded.listeners`.execute(trx.query)
}

/** Counts the distinct listeners in the seven days that end with this day. */
export async function rollUpWeek(db: Database, day: string): Promise<void> {
  await sql`
    insert into insight_days (day, listeners_7d)
    select ${day}::date, count(distinct user_id)
      from plays
     where started_at >= (${day}::date - 6)::timestamp at time zone 'utc' and started_at < ${to(day)}
       and counted_at is not null and ${byMembers}
    on conflict (day) do update set listeners_7d = excluded.listeners_7d`.execute(db.query)
}

/**
 * Counts the sign-ups per day since this day, without admins and demo accounts. A stored count never decreases, so
 * deleted people still count.
 */
export async function rollUpSignUps(db: Database, since: string | null): Promise<void> {
  await sql`
    insert into insight_days as d (day, sign_ups)
    select (created_at at time zone 'utc')::date, count(*)
      from profiles
     where not is_demo
       and not exists (select from user_roles r where r.user_id = profiles.id and r.role = 'admin')
       and ${since === null ? sql`true` : sql`created_at >= ${from(since)}`}
     group by 1
    on conflict (day) do update set sign_ups = greatest(d.sign_ups, excluded.sign_ups)`.execute(
    db.query,
  )
}

/** Sums up the days of a past month, which is given by its first day (`2026-10-01`). */
export async function rollUpMonth(db: Database, month: string): Promise<void> {
  await sql`
    insert into track_months as m (month, track_id, starts, plays, previews, completed, conversions)
    select ${month}::date, track_id, sum(starts), sum(plays), sum(previews), sum(completed),
           sum(conversions)
      from track_days
     where day >= ${month}::date and day < ${month}::date + interval '1 month'
     group by track_id
    on conflict (month, track_id) do update
       set starts = excluded.starts, plays = excluded.plays, previews = excluded.previews,
           completed = excluded.completed, conversions = excluded.conversions
     where (m.starts, m.plays, m.previews, m.completed, m.conversions) is distinct from
           (excluded.starts, excluded.plays, excluded.previews, excluded.completed,
            excluded.conversions)`.execute(db.query)
}
