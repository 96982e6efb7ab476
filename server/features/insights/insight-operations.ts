// The owner's statistics for the Insights screen, read from daily and monthly aggregates.
import { sql, type RawBuilder } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { maxInsightDays, type InsightDay, type TopTrack } from '#contract/admin/insights.ts'
import type * as contract from '#contract/admin/insights.ts'
import { paginate } from '#contract/fields/pagination.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { figuresSource, type FiguresSource } from './figures-source.ts'
import { isNotDeleted } from '../tracks/track-query.ts'
import { getEarlyAccess } from '../availability/change-availability.ts'
import { byMembers } from './roll-up-plays.ts'
import { addDays, toUtcDay, toMonthStart } from './roll-up-insights.ts'

const dayMs = 24 * 3600_000

export interface DayRange {
  start: string
  end: string
}

/**
 * Returns the number of days in the range. Throws `invalid_period` if the range ends before it starts or is longer than
 * three years.
 */
export function validateRange({ start, end }: DayRange): number {
  const length = (Date.parse(end) - Date.parse(start)) / dayMs + 1
  if (length < 1 || length > maxInsightDays) throw new AppError('invalid_period')
  return length
}

export async function getInsights(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.getInsights>,
): Promise<Output<typeof contract.getInsights>> {
  const length = validateRange(query)
  const before = { start: addDays(query.start, -length), end: addDays(query.start, -1) }
  const source = figuresSource(query.figures)
  const [currency, ...other_currencies] = await listCurrencies(ctx.db, source)
  const [all, state] = await Promise.all([
    readDays(ctx.db, { start: before.start, end: query.end }, currency, source),
    ctx.db.query.selectFrom('insight_state').select('rolled_at').executeTakeFirstOrThrow(),
  ])
  return {
    days: all.slice(length),
    previous: all.slice(0, length),
    currency,
    other_currencies,
    rolled_at: state.rolled_at,
    has_data: await hasData(ctx.db, source),
  }
}

/**
 * Lists the currencies in the ledger, the one with the highest revenue first. The screen and the export show the first
 * currency.
 */
export async function listCurrencies(
  db: Database,
  { money }: FiguresSource,
): Promise<[string, ...string[]]> {
  const { rows } = await sql<{ currency: string }>`
    select currency from ${money} m
     group by currency order by sum(revenue_cents) desc, currency`.execute(db.query)
  const [first, ...others] = rows.map(({ currency }) => currency)
  return first === undefined ? [await readSoldCurrency(db)] : [first, ...others]
}

/** Reads the currency of the prices, which is shown with zero amounts before the first payment. */
async function readSoldCurrency(db: Database): Promise<string> {
  const { currency } = await db.query
    .selectFrom('settings')
    .select('currency')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return currency
}

async function hasData(db: Database, { days, money }: FiguresSource): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from ${days} d where starts > 0 or previews > 0 or sign_ups > 0)
        or exists (select from ${money} m) as has`.execute(db.query)
  return rows[0]?.has ?? false
}

async function readDays(
  db: Database,
  { start, end }: DayRange,
  currency: string,
  source: FiguresSource,
): Promise<InsightDay[]> {
  const { rows } = await selectDays({ start, end }, currency, source).execute(db.query)
  return rows
}

/** Selects one row per day, even for days without any activity. */
export function selectDays(
  { start, end }: DayRange,
  currency: string,
  { days, money }: FiguresSource,
): RawBuilder<InsightDay> {
  const zero = (...names: string[]) =>
    sql.join(names.map((name) => sql`coalesce(${sql.ref(name)}, 0) as ${sql.id(name.slice(2))}`))
  return sql<InsightDay>`
    select to_char(g.day, 'YYYY-MM-DD') as day,
           ${zero('d.plays', 'd.previews', 'd.starts', 'd.completed', 'd.heard_seconds')},
           ${zero('d.listeners', 'd.listeners_7d', 'd.sign_ups')},
           ${zero('m.revenue_cents', 'm.refunds_cents', 'm.mrr_cents', 'm.paying', 'm.lost')},
           ${zero('m.conversions', 'm.preview_conversions')}
      from generate_series(${start}::date, ${end}::date, interval '1 day') g (day)
      left join ${days} d on d.day = g.day::date
      left join ${money} m on m.day = g.day::date and m.currency = ${currency}
     order by g.day`
}

const sortKeys: Record<
  ParsedInput<typeof contract.listTopTracks>['query']['sort'],
  RawBuilder<unknown>
> = {
  plays: sql`plays`,
  previews: sql`previews`,
  // A completion rate of fewer than 10 starts is not meaningful, so these tracks are last.
  completion: sql`case when starts >= 10 then completed::float / starts else -1 end`,
  conversions: sql`conversions`,
}

export async function listTopTracks(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listTopTracks>,
): Promise<Output<typeof contract.listTopTracks>> {
  validateRange(query)
  const offset = (query.page - 1) * query.page_size
  const { rows } = await sql<TopTrack & { total: number }>`
    with ranked as (
      select *, count(*) over () as total from (${selectTrackSums(query, ctx.now(), figuresSource(query.figures))}) s
       order by ${sortKeys[query.sort]} desc, plays desc, track_id
       limit ${query.page_size} offset ${offset}
    )
    select r.*, t.title, t.artist from ranked r join tracks t on t.id = r.track_id
     order by ${sortKeys[query.sort]} desc, plays desc, track_id`.execute(ctx.db.query)
  const total = rows[0]?.total ?? 0
  const data = rows.map(({ total: _, ...track }) => track)
  return { data, pagination: paginate(query, total) }
}

const summed = sql.join(
  ['plays', 'previews', 'starts', 'completed', 'conversions'].map(
    (name) => sql`sum(${sql.id(name)})::int as ${sql.id(name)}`,
  ),
)

/**
 * Selects the sums per track in this range. Reads full past months from monthly aggregates, and the remaining days from
 * daily aggregates.
 */
export function selectTrackSums(
  { start, end }: DayRange,
  now: Date,
  { tracks, months }: FiguresSource,
): RawBuilder<unknown> {
  const columns = sql`track_id, plays, previews, starts, completed, conversions`
  const firstMonth = start.endsWith('-01') ? start : getNextMonth(start)
  const lastEnd = toMonthStart(addDays(end, 1))
  const thisMonth = toMonthStart(toUtcDay(now))
  const monthsEnd = lastEnd < thisMonth ? lastEnd : thisMonth
  const rest =
    months && firstMonth < monthsEnd
      ? sql`day >= ${start}::date and day < ${firstMonth}::date
            union all
            select ${columns} from ${tracks} t where day >= ${monthsEnd}::date and day <= ${end}::date
            union all
            select ${columns} from ${months} m
             where month >= ${firstMonth}::date and month < ${monthsEnd}::date`
      : sql`day >= ${start}::date and day <= ${end}::date`
  return sql`
    select track_id, ${summed} from (select ${columns} from ${tracks} t where ${rest}) d
     group by track_id
    having ${isNotDeleted('d.track_id')} and sum(plays) + sum(previews) + sum(starts) + sum(conversions) > 0`
}

function getNextMonth(day: string): string {
  return toMonthStart(addDays(toMonthStart(day), 31))
}

export async function getTrackInsights(
  ctx: MemberContext,
  { params, query }: ParsedInput<typeof contract.getTrackInsights>,
): Promise<Output<typeof contract.getTrackInsights>> {
  validateRange(query)
  const track = await ctx.db.query
    .selectFrom('tracks')
    .select([
      'id as track_id',
      'title',
      'artist',
      'duration',
      'release_zone',
      'early_access_days',
      'early_access_until',
    ])
    .where('id', '=', params.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!track) throw new AppError('track_not_found')
  const { tracks } = figuresSource(query.figures)
  // Demo data may have several rows per day, so `sumByDay` adds them up.
  const { rows } = await sql<TrackDay>`
    select to_char(g.day, 'YYYY-MM-DD') as day, coalesce(t.plays, 0) as plays,
           coalesce(t.previews, 0) as previews, coalesce(t.starts, 0) as starts,
           coalesce(t.completed, 0) as completed, coalesce(t.conversions, 0) as conversions,
           coalesce(t.left_at, array_fill(0, array[21])) as left_at
      from generate_series(${query.start}::date, ${query.end}::date, interval '1 day') g (day)
      left join ${tracks} t on t.track_id = ${params.id} and t.day = g.day::date
     order by g.day`.execute(ctx.db.query)
  const { track_id, title, artist, duration } = track
  return {
    track_id,
    title,
    artist,
    duration,
    early_access_plays: await countEarlyPlays(ctx.db, track),
    days: sumByDay(rows),
    left_at: addUp(rows.map(({ left_at }) => left_at)),
    conversions: rows.reduce((sum, { conversions }) => sum + conversions, 0),
  }
}

/**
 * Counts the plays during early access. Null if the track has none. The index on the track makes this fast, because
 * early access lasts only days.
 */
async function countEarlyPlays(
  db: Database,
  track: Parameters<typeof getEarlyAccess>[0] & { track_id: string },
): Promise<number | null> {
  const early = getEarlyAccess(track)
  if (!early) return null
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from plays
     where track_id = ${track.track_id} and not is_preview and ${byMembers}
       and counted_at >= ${early.from.toISOString()} and counted_at < ${early.until}`.execute(
    db.query,
  )
  return rows[0]?.count ?? 0
}

type TrackDay = Output<typeof contract.getTrackInsights>['days'][number] & {
  conversions: number
  left_at: number[]
}

function sumByDay(rows: readonly TrackDay[]) {
  const days = new Map<string, Output<typeof contract.getTrackInsights>['days'][number]>()
  for (const { day, plays, previews, starts, completed } of rows) {
    const sum = days.get(day) ?? { day, plays: 0, previews: 0, starts: 0, completed: 0 }
    days.set(day, {
      day,
      plays: sum.plays + plays,
      previews: sum.previews + previews,
      starts: sum.starts + starts,
      completed: sum.completed + completed,
    })
  }
  return [...days.values()]
}

function addUp(lists: number[][]): number[] {
  const sums: number[] = Array.from({ length: 21 }, () => 0)
  for (const list of lists) for (const [part, value] of list.entries()) sums[part]! += value
  return sums
}
