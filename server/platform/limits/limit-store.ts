// Counts attempts in windows of a fixed length. In PostgreSQL, all instances share the counts and the database's
// clock. memory-store.ts counts in memory.
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { LimitedKey } from './limit-keys.ts'

/** The current window of a key, including the added attempts. */
export interface Window extends LimitedKey {
  count: number
  msLeft: number
}

export interface LimitStore {
  /** Adds attempts to each key. Atomic for each key, so that concurrent attempts cannot exceed a limit. */
  add: (keys: readonly LimitedKey[], attempts?: number) => Promise<Window[]>
}

/**
 * `traffic_counts` is an unlogged table: during an attack it causes no write-ahead log. A crash of the database
 * empties it.
 */
type Table = 'rate_limits' | 'traffic_counts'

export function createSharedStore(db: Database, table: Table = 'rate_limits'): LimitStore {
  return {
    async add(keys, attempts = 1) {
      // Sorted, so that two requests with common keys lock their rows in the same order and cannot deadlock.
      const sorted = keys.toSorted((a, b) => (a.key < b.key ? -1 : 1))
      const { rows } = await sql<{ key: string; count: number; ms_left: number }>`
        insert into ${sql.table(table)} as t (key, count, resets_at)
        select key, ${attempts}::int, now() + make_interval(secs => seconds)
          from unnest(${sorted.map(({ key }) => key)}::text[],
                      ${sorted.map(({ limit }) => limit.seconds)}::float8[]) as k (key, seconds)
        on conflict (key) do update set
          count = case when t.resets_at <= now() then excluded.count else t.count + excluded.count end,
          resets_at = case when t.resets_at <= now() then excluded.resets_at else t.resets_at end
        returning key, count, ceil(1000 * extract(epoch from resets_at - now()))::float8 as ms_left`.execute(
        db.query,
      )
      const rowOf = new Map(rows.map((row) => [row.key, row]))
      return keys.map((each) => {
        const { count, ms_left } = rowOf.get(each.key)!
        return { ...each, count, msLeft: ms_left }
      })
    },
  }
}

/** After a successful attempt: resets the limits of the account and removes one attempt from those of the address. */
export async function refundRateLimit(
  db: Database,
  options: { reset: readonly LimitedKey[]; giveBack: readonly LimitedKey[] },
): Promise<void> {
  await sql`
    with fresh as (
      delete from rate_limits where key = any(${options.reset.map(({ key }) => key)}::text[])
    )
    update rate_limits set count = greatest(count - 1, 0)
     where key = any(${options.giveBack.map(({ key }) => key)}::text[])`.execute(db.query)
}

/** Deletes the rows of past windows. */
export async function deleteOldRateLimits(db: Database): Promise<void> {
  await sql`delete from rate_limits where resets_at <= now()`.execute(db.query)
  await sql`delete from traffic_counts where resets_at <= now()`.execute(db.query)
}
