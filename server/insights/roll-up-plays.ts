// Adds up plays per day (UTC) and track. A day is added up anew as often as something is reported about
// it, always as a whole, so that doing it twice changes nothing.
import { sql } from 'kysely'
import { curveParts } from '#contract/insights.ts'
import { transaction, type Database, type Transaction } from '../db/database.ts'

/** Days (`2026-11-21`) whose plays were reported since then; all days for null. */
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

async function rollUpTracks(trx: Transaction, day: string): Promise<void> {
  const leftAt = sql.join(
    parts.map((part) => sql`count(*) filter (where not is_preview and part = ${sql.lit(part)})`),
  )
  await sql`
    insert into track_days as t
      (day, track_id, starts, plays, previews, completed, heard_seconds, left_at)
    select ${day}::date, track_id,
           count(*) filter (where not is_preview),
           count(*) filter (where not is_preview and is_counted),
           count(*) filter (where is_preview and is_counted),
           count(*) filter (where not is_preview and completed),
           sum(heard_seconds)::bigint,
           array[${leftAt}]::integer[]
      from (
        select track_id, is_preview, counted_at is not null as is_counted, completed, heard_seconds,
               case when completed then ${sql.lit(curveParts)}
                    when duration_seconds <= 0 then 0
                    else least(${sql.lit(curveParts - 1)},
                               floor(position_seconds / duration_seconds * ${sql.lit(curveParts)}))::int
               end as part
          from plays
         where started_at >= ${from(day)} and started_at < ${to(day)}
      ) p
     group by track_id
    on conflict (track_id, day) do update
       set starts = excluded.starts, plays = excluded.plays, previews = excluded.previews,
           completed = excluded.completed, heard_seconds = excluded.heard_seconds,
           left_at = excluded.left_at
     where (t.starts, t.plays, t.previews, t.completed, t.heard_seconds, t.left_at) is distinct from
           (excluded.starts, excluded.plays, excluded.previews, excluded.completed,
            excluded.heard_seconds, excluded.left_at)`.execute(trx.query)
}

async function rollUpTotals(trx: Transaction, day: string): Promise<void> {
  await sql`
    insert into insight_days (day, starts, plays, previews, completed, heard_seconds, listeners)
    select ${day}::date,
           count(*) filter (where not is_preview),
           count(*) filter (where not is_preview and counted_at is not null),
           count(*) filter (where is_preview and counted_at is not null),
           count(*) filter (where not is_preview and completed),
           coalesce(sum(heard_seconds), 0)::bigint,
           count(distinct user_id) filter (where counted_at is not null)
      from plays
     where started_at >= ${from(day)} and started_at < ${to(day)}
    on conflict (day) do update
       set starts = excluded.starts, plays = excluded.plays, previews = excluded.previews,
           completed = excluded.completed, heard_seconds = excluded.heard_seconds,
           listeners = excluded.listeners`.execute(trx.query)
}

/** Different people within the week that ends with the day. */
export async function rollUpWeek(db: Database, day: string): Promise<void> {
  await sql`
    insert into insight_days (day, listeners_7d)
    select ${day}::date, count(distinct user_id)
      from plays
     where started_at >= (${day}::date - 6)::timestamp at time zone 'utc' and started_at < ${to(day)}
       and counted_at is not null
    on conflict (day) do update set listeners_7d = excluded.listeners_7d`.execute(db.query)
}

/** People who came since that day. Who is deleted later has come all the same. */
export async function rollUpSignUps(db: Database, since: string | null): Promise<void> {
  await sql`
    insert into insight_days as d (day, sign_ups)
    select (created_at at time zone 'utc')::date, count(*)
      from profiles
     where not is_demo and ${since === null ? sql`true` : sql`created_at >= ${from(since)}`}
     group by 1
    on conflict (day) do update set sign_ups = greatest(d.sign_ups, excluded.sign_ups)`.execute(
    db.query,
  )
}

/** Adds the days of a month that is over (`2026-10-01`) together. */
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
