// Updates the aggregates behind the owner's statistics, so that no screen has to read all plays or the whole ledger.
// Every minute, the days with newly reported plays or payments are recomputed. Only one instance runs the job at a
// time. An aborted run is repeated by the next one.
import { sql, type Selectable } from 'kysely'
import { sessionLocks } from '../../platform/db/advisory-locks.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { findFirstMoneyDay, rollUpMoneyDay } from './roll-up-money.ts'
import {
  findPlayedDays,
  rollUpDay,
  rollUpMonth,
  rollUpSignUps,
  rollUpWeek,
} from './roll-up-plays.ts'

/**
 * How far each run looks back before the start of the previous run, because some transactions had not committed then.
 */
const playsOverlapMs = 10 * 60_000
/**
 * The same for ledger entries. Shorter, because an entry causes every day since its date to be recomputed. Still longer
 * than any transaction that inserts entries.
 */
const moneyOverlapMs = 2 * 60_000
/** Number of recent days that every run recomputes, because a member counts as lost only after a week. */
const openMoneyDays = 8
/** Maximum share of time that the job may run. After a long run, it pauses. */
const busyShare = 1 / 20
const dayMs = 24 * 3600_000

/** Runs the job. Returns false if another instance is running it, or if it pauses after a long run. */
export async function rollUpInsights(
  db: Database,
  now: Date,
  options: { signal?: AbortSignal } = {},
): Promise<boolean> {
  const lock = await db.pool.connect()
  try {
    const { rows } = await lock.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
      sessionLocks.rollUpInsights,
    ])
    if (!rows[0]?.got) return false
    try {
      return await rollUp(db, now, options.signal)
    } finally {
      await lock.query('select pg_advisory_unlock($1)', [sessionLocks.rollUpInsights])
    }
  } finally {
    lock.release()
  }
}

async function rollUp(db: Database, now: Date, signal?: AbortSignal): Promise<boolean> {
  const state = clampToNow(
    await db.query.selectFrom('insight_state').selectAll().executeTakeFirstOrThrow(),
    now,
  )
  const idleMs = state.rolled_at === null ? Infinity : now.getTime() - Date.parse(state.rolled_at)
  if (idleMs > 0 && idleMs < state.took_ms / busyShare) return false
  const startedAt = performance.now()
  const today = toUtcDay(now)
  const isFirst = state.rolled_at === null

  const days = await findPlayedDays(db, before(state.plays_until, playsOverlapMs))
  for (const day of days) {
    signal?.throwIfAborted()
    await rollUpDay(db, day)
  }
  const since = isFirst ? today : toUtcDay(new Date(state.rolled_at ?? now))
  const unseen = isFirst ? null : addDays(since, 1)
  for (const day of weeksOf(days, unseen ?? today, today)) {
    signal?.throwIfAborted()
    await rollUpWeek(db, day)
  }
  await rollUpSignUps(db, isFirst ? null : addDays(since, -1))

  const changedDays: string[] = []
  const entriesSince = before(state.money_until, moneyOverlapMs)
  for (const { day, hasNewEntries } of await findMoneyDays(db, { entriesSince, unseen, today })) {
    signal?.throwIfAborted()
    if (await rollUpMoneyDay(db, day, { now, hasNewEntries })) changedDays.push(day)
  }
  for (const month of await findMonths(db, [...days, ...changedDays], today)) {
    signal?.throwIfAborted()
    await rollUpMonth(db, month)
  }

  await db.query
    .updateTable('insight_state')
    .set({
      plays_until: now.toISOString(),
      money_until: now.toISOString(),
      rolled_at: now.toISOString(),
      took_ms: Math.round(performance.now() - startedAt),
    })
    .execute()
  return true
}

/**
 * Returns the days whose revenue is recomputed. A new ledger entry affects every day from its date on. Days from
 * `unseen` on have not been computed yet.
 */
async function findMoneyDays(
  db: Database,
  known: { entriesSince: Date | null; unseen: string | null; today: string },
): Promise<{ day: string; hasNewEntries: boolean }[]> {
  const { entriesSince, unseen, today } = known
  const entered = await findFirstMoneyDay(db, entriesSince)
  const added = await db.query
    .selectFrom('money_days')
    .select(sql<string | null>`to_char(min(day), 'YYYY-MM-DD')`.as('day'))
    .executeTakeFirstOrThrow()
  const [any] = [entered, added.day].filter((day) => day !== null).toSorted()
  if (any === undefined) return []
  const [firstChanged = any] = [entered, unseen ?? any].filter((day) => day !== null).toSorted()
  const open = addDays(today, -openMoneyDays)
  const first = firstChanged < open ? firstChanged : open
  const days: { day: string; hasNewEntries: boolean }[] = []
  for (let day = first < any ? any : first; day <= today; day = addDays(day, 1)) {
    days.push({ day, hasNewEntries: day >= firstChanged })
  }
  return days
}

/** Returns the past months to recompute: those with changed days, and last month if it has no sums yet. */
async function findMonths(db: Database, days: string[], today: string): Promise<string[]> {
  const months = new Set(days.map(toMonthStart))
  const last = toMonthStart(addDays(toMonthStart(today), -1))
  const made = await db.query
    .selectFrom('track_months')
    .select('month')
    .where(sql<boolean>`month = ${last}::date`)
    .limit(1)
    .executeTakeFirst()
  if (!made) months.add(last)
  return [...months].filter((month) => month < toMonthStart(today)).toSorted()
}

/**
 * Returns the last days of the weeks to recompute: every week that contains a changed day, and the weeks that ended
 * since the last run.
 */
function weeksOf(days: string[], since: string, today: string): string[] {
  const ends = new Set<string>()
  for (let day = since; day <= today; day = addDays(day, 1)) ends.add(day)
  for (const day of days) {
    for (let after = 0; after < 7; after++) {
      const end = addDays(day, after)
      if (end <= today) ends.add(end)
    }
  }
  return [...ends].toSorted()
}

/**
 * Replaces stored times in the future with the current time. Otherwise, after the clock was set back, the statistics
 * would not change until the clock reaches them.
 */
function clampToNow(state: Selectable<Tables['insight_state']>, now: Date) {
  const earlier = (time: string | null) =>
    time !== null && Date.parse(time) > now.getTime() ? now.toISOString() : time
  return {
    ...state,
    plays_until: earlier(state.plays_until),
    money_until: earlier(state.money_until),
    rolled_at: earlier(state.rolled_at),
  }
}

function before(until: string | null, overlapMs: number): Date | null {
  return until === null ? null : new Date(Date.parse(until) - overlapMs)
}

/** Returns the UTC day of a timestamp, such as `2026-11-21`. */
export function toUtcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

export function addDays(day: string, count: number): string {
  return toUtcDay(new Date(Date.parse(day) + count * dayMs))
}

export function toMonthStart(day: string): string {
  return `${day.slice(0, 7)}-01`
}
