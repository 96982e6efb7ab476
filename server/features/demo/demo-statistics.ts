// Generates statistics of a small, growing service: plays, people and money per day, stored in separate tables. The
// numbers depend only on the day and how long the service exists on that day, so generating a day again gives the same
// numbers.
import { sql } from 'kysely'
import { curveParts } from '#contract/admin/insights.ts'
import { defaultCurrency } from '#contract/plans.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { addDays } from '../insights/roll-up-insights.ts'

/**
 * Number of days at the first start: two periods of 30 days, so that each of the last 30 days has a previous period.
 */
const firstDays = 63
/** If the demo was switched off for longer than this, its statistics have a gap. */
const maxGapDays = 120
const songSeconds = 75
const monthlyCents = 999
const yearlyCents = 9900

/** Adds missing days up to `today`, and distributes the numbers of all days over the tracks. */
export async function seedDemoStatistics(
  trx: Transaction,
  trackIds: readonly string[],
  today: string,
): Promise<void> {
  const known = await trx.query
    .selectFrom('demo_insight_days')
    .select([
      sql<string | null>`to_char(min(day), 'YYYY-MM-DD')`.as('first'),
      sql<string | null>`to_char(max(day), 'YYYY-MM-DD')`.as('last'),
    ])
    .executeTakeFirstOrThrow()
  const first = known.first ?? addDays(today, -firstDays)
  const start = latest(
    addDays(known.last ?? first, known.last ? 1 : 0),
    addDays(today, -maxGapDays),
  )
  const days = statisticsBetween(start, today, first)
  if (days.length > 0) {
    await trx.query
      .insertInto('demo_insight_days')
      .values(days.map(({ plays }) => plays))
      .execute()
    await trx.query
      .insertInto('demo_money_days')
      .values(days.map(({ money }) => money))
      .execute()
  }
  await distributeOverTracks(trx, trackIds, statisticsBetween(first, today, first))
}

function statisticsBetween(start: string, end: string, first: string): DayStatistics[] {
  const days: DayStatistics[] = []
  for (let day = start; day <= end; day = addDays(day, 1)) days.push(computeStatistics(day, first))
  return days
}

/** Distributes each day's numbers over the tracks. Does nothing unless days or tracks were added or removed. */
async function distributeOverTracks(
  trx: Transaction,
  trackIds: readonly string[],
  days: readonly DayStatistics[],
): Promise<void> {
  const { rows } = await sql<{ days: number; tracks: string[] | null }>`
    select count(distinct day) as days, array_agg(distinct track_id::text) as tracks
      from demo_track_days`.execute(trx.query)
  const shared = new Set(rows[0]?.tracks ?? [])
  const isSame = shared.size === trackIds.length && trackIds.every((id) => shared.has(id))
  if (trackIds.length === 0 || (isSame && rows[0]?.days === days.length)) return
  await trx.query.deleteFrom('demo_track_days').execute()
  const rowsOfDays = days.flatMap((day) => splitDay(day, trackIds))
  // PostgreSQL allows at most 65,535 parameters per statement.
  for (let at = 0; at < rowsOfDays.length; at += 1000) {
    const some = rowsOfDays.slice(at, at + 1000)
    await trx.query.insertInto('demo_track_days').values(some).execute()
  }
}

type DayStatistics = ReturnType<typeof computeStatistics>

function computeStatistics(day: string, first: string) {
  const age = (Date.parse(day) - Date.parse(first)) / 86_400_000
  const random = createRandom(Date.parse(day) / 86_400_000)
  const isWeekend = [0, 5, 6].includes(new Date(day).getUTCDay())
  const size = (1 + age / 45) * (isWeekend ? 1.25 : 1) * (0.88 + 0.24 * random())
  const listeners = Math.round(24 * size)
  const starts = Math.round(listeners * (5.2 + random()))
  const plays = Math.round(starts * 0.81)
  const previews = Math.round(listeners * 1.9)
  const completed = Math.round(starts * 0.63)
  const paying = Math.round(6 + age * 0.35)
  const conversions = random() < 0.4 + age / 200 ? (random() < 0.2 ? 2 : 1) : 0
  const renewals = random() < paying / 30 ? 1 : 0
  const yearly = conversions > 0 && random() < 0.2 ? 1 : 0
  return {
    day,
    plays: {
      day,
      starts,
      plays,
      previews,
      completed,
      heard_seconds: Math.round(starts * songSeconds * 0.78 + previews * 32),
      listeners,
      listeners_7d: Math.round(listeners * 2.7),
      sign_ups: Math.round(1 + 3 * size * random()),
    },
    money: {
      day,
      currency: defaultCurrency,
      revenue_cents: (conversions - yearly + renewals) * monthlyCents + yearly * yearlyCents,
      refunds_cents: random() < 0.03 ? monthlyCents : 0,
      mrr_cents: paying * monthlyCents,
      paying,
      lost: random() < 0.04 ? 1 : 0,
      conversions,
      preview_conversions: conversions,
    },
  }
}

/** Splits a day's numbers by track. The first tracks are the most popular. The parts add up to the day's totals. */
function splitDay({ day, plays: sums, money }: DayStatistics, trackIds: readonly string[]) {
  const weights = trackIds.map((_, place) => 1 / (place + 2.5))
  const share = (total: number) => divide(total, weights)
  const [plays, previews] = [share(sums.plays), share(sums.previews)]
  const [starts, completed] = [share(sums.starts), share(sums.completed)]
  const heard = share(sums.heard_seconds)
  return trackIds.map((track_id, at) => ({
    day,
    track_id,
    plays: plays[at] ?? 0,
    previews: previews[at] ?? 0,
    starts: starts[at] ?? 0,
    completed: completed[at] ?? 0,
    heard_seconds: heard[at] ?? 0,
    left_at: makeLeaveTimes(starts[at] ?? 0, completed[at] ?? 0),
    conversions: at === new Date(day).getUTCDate() % 5 ? money.conversions : 0,
  }))
}

/** Generates when listeners stop a track. Most of those who stop before the end do so early. */
function makeLeaveTimes(starts: number, completed: number): number[] {
  const weights = Array.from({ length: curveParts }, (_, part) => 1 / (part + 1))
  return [...divide(Math.max(0, starts - completed), weights), completed]
}

/** Splits a total into integers in proportion to these weights. */
function divide(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let passed = 0
  let given = 0
  return weights.map((weight) => {
    passed += weight
    const part = Math.round((total * passed) / whole) - given
    given += part
    return part
  })
}

/**
 * Returns a function that generates random numbers from 0 to 1, always the same sequence for the same seed
 * (mulberry32).
 */
function createRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

const latest = (one: string, other: string) => (one > other ? one : other)
