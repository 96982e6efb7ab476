// Rate limits on costly or guessable operations: attempts per window, counted in PostgreSQL, so that all instances
// share the counts and they survive a restart. An attempt counts before its work starts, so concurrent attempts cannot
// bypass the limit.
import { createHash } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { AppError } from '../operations/app-error.ts'

export interface RateLimit {
  /** The limited operation, such as `sign-in`. */
  name: string
  max: number
  windowSeconds: number
}

/** A limit applied to an account, an address or both together. */
export interface LimitedKey {
  limit: RateLimit
  key: string
}

/** `parts` identify the limited account or address; only their hash is stored. */
export function limitFor(limit: RateLimit, ...parts: string[]): LimitedKey {
  const hash = createHash('sha256').update(parts.join('\n')).digest('base64url')
  return { limit, key: `${limit.name}:${hash.slice(0, 22)}` }
}

/** Counts an attempt against each limit. Throws `rate_limited` with Retry-After when one is used up. */
export async function countTry(db: Database, limited: LimitedKey[]): Promise<void> {
  // A fixed lock order, so that two requests with common keys cannot deadlock.
  const keys = limited.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const { rows } = await sql<{ key: string; count: number; seconds_left: number }>`
    insert into rate_limits as r (key, count, resets_at)
    select key, 1, now() + make_interval(secs => window_seconds)
      from unnest(${keys.map(({ key }) => key)}::text[],
                  ${keys.map(({ limit }) => limit.windowSeconds)}::float8[]) as t (key, window_seconds)
    on conflict (key) do update set
      count = case when r.resets_at <= now() then 1 else r.count + 1 end,
      resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
    returning key, count, ceil(extract(epoch from resets_at - now()))::int as seconds_left`.execute(
    db.query,
  )
  const maxOf = new Map(keys.map(({ key, limit }) => [key, limit.max]))
  const waits = rows
    .filter(({ key, count }) => count > (maxOf.get(key) ?? 0))
    .map((row) => row.seconds_left)
  if (waits.length === 0) return
  throw new AppError('rate_limited', { headers: { 'retry-after': String(Math.max(1, ...waits)) } })
}

/** Counts an attempt and returns whether it is within the limit. */
export async function isWithinLimit(db: Database, limited: LimitedKey): Promise<boolean> {
  try {
    await countTry(db, [limited])
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false
    throw error
  }
}

/** After a successful attempt: resets the limits of the account and refunds one attempt of the address. */
export async function refundTry(
  db: Database,
  options: { reset: LimitedKey[]; giveBack: LimitedKey[] },
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
  await db.query
    .deleteFrom('rate_limits')
    .where('resets_at', '<=', sql<string>`now()`)
    .execute()
}

/**
 * Providers assign a household a /64, a /56 or a whole /48, so IPv6 counts at all three. The wider networks also hold
 * many households, so each allows four times the attempts of the next narrower one.
 */
const wider = [
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
] as const

/** The limits for an address. `parts` are combined with it in the key. */
export function limitByAddress(limit: RateLimit, ip: string, ...parts: string[]): LimitedKey[] {
  const address = addressKey(ip)
  const narrow = limitFor(limit, ...parts, address)
  if (!address.includes(':')) return [narrow]
  const nets = wider.map(({ bits, factor }) => {
    const net = `${normalizeIP(ip, bits)}/${bits}`
    return limitFor({ ...limit, max: limit.max * factor }, ...parts, net)
  })
  return [narrow, ...nets]
}

/** The unit that counts as one address: the whole IPv4 address, or the IPv6 /64 of one household or server. */
export function addressKey(ip: string): string {
  return normalizeIP(ip)
}
