// Rate limit for anonymous traffic per address, shared by all instances. Signed-in people, streams, pictures and pages
// are not counted. Requests are counted in memory and flushed to the database in batches: an address with few requests
// costs no query, and the limit is exact to one batch per instance. Without the database each instance counts alone.
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Database } from '../db/database.ts'
import { limitFor } from './rate-limit.ts'

/** Generous: enough for a school behind one address, too little for a flood. */
export const anonymousRequestsPerMinute = 600

/** Call it before the routes are registered. */
export async function limitAnonymousTraffic(
  app: FastifyInstance,
  options: {
    db: Database
    /** Whether the request has a live session. */
    isSignedIn: (request: FastifyRequest) => boolean | Promise<boolean>
    perMinute?: number
  },
): Promise<void> {
  const { db, perMinute = anonymousRequestsPerMinute } = options
  app.addHook('onRoute', (route) => {
    if (!isCounted(route)) route.config = { ...route.config, rateLimit: false }
  })
  await app.register(rateLimit, {
    store: class extends TrafficStore {
      constructor() {
        super(db, perMinute)
      }
    },
    max: perMinute,
    timeWindow: windowMs,
    allowList: async (request) => {
      try {
        return await options.isSignedIn(request)
      } catch (error) {
        // Without the database no session can be checked. The operation itself reports the outage.
        request.log.debug({ err: error }, 'counted as a visitor')
        return false
      }
    },
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': true,
    },
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
  })
}

function isCounted(route: RouteOptions): boolean {
  // Stripe's webhook is never limited; behind a proxy its address may be shared with everybody.
  if (route.url === '/api/billing-webhook') return false
  const endpoint = (route.config as { endpoint?: Endpoint } | undefined)?.endpoint
  return endpoint?.access === 'anyone' && endpoint.produces === undefined
}

/** Deletes the rows of past windows. */
export async function deleteOldTraffic(db: Database): Promise<void> {
  await sql`delete from traffic_counts where resets_at <= now()`.execute(db.query)
}

const windowMs = 60_000
const maxAddresses = 20_000
/** Share of the limit. Each instance may exceed the limit by at most this much. */
const batchShare = 1 / 20

interface Window {
  /** Total of all instances, as last read from the database. */
  stored: number
  /** Counted on this instance since then. */
  count: number
  endsAtMs: number
  isStoring: boolean
}

/** Uses a monotonic clock. With the plugin's own store, setting the clock back an hour prolongs a window by an hour. */
class TrafficStore {
  readonly #db: Database
  readonly #max: number
  readonly #batch: number
  readonly #windows = new LRUCache<string, Window>({ max: maxAddresses })

  constructor(db: Database, max: number) {
    this.#db = db
    this.#max = max
    this.#batch = Math.max(1, Math.floor(max * batchShare))
  }

  incr(
    key: string,
    callback: (error: Error | null, result: { current: number; ttl: number }) => void,
  ): void {
    const now = performance.now()
    const known = this.#windows.get(key)
    const window =
      known && now < known.endsAtMs
        ? known
        : { stored: 0, count: 0, endsAtMs: now + windowMs, isStoring: false }
    window.count++
    this.#windows.set(key, window)
    const current = window.stored + window.count
    const isDue = window.count >= this.#batch && !window.isStoring
    if (isDue && current <= this.#max + this.#batch) void this.#store(key, window)
    callback(null, { current, ttl: Math.ceil(window.endsAtMs - now) })
  }

  async #store(key: string, window: Window): Promise<void> {
    const { count } = window
    window.isStoring = true
    try {
      const { total, msLeft } = await addTraffic(this.#db, key, count)
      window.stored = total
      window.endsAtMs = performance.now() + msLeft
    } catch (error) {
      this.#db.log.warn({ err: error }, 'visitors are counted by this instance alone')
      window.stored += count
    }
    window.count -= count
    window.isStoring = false
  }

  /** All routes share one count. */
  child(): this {
    return this
  }
}

/** Returns the total of all instances in the current window and the time left in it. */
async function addTraffic(db: Database, address: string, count: number) {
  const { key } = limitFor({ name: 'traffic', max: 0, windowSeconds: 0 }, address)
  const { rows } = await sql<{ total: number; ms_left: number }>`
    insert into traffic_counts as t (key, count, resets_at)
    values (${key}, ${count}, now() + make_interval(secs => ${windowMs / 1000}))
    on conflict (key) do update set
      count = case when t.resets_at <= now() then excluded.count else t.count + excluded.count end,
      resets_at = case when t.resets_at <= now() then excluded.resets_at else t.resets_at end
    returning count as total, ceil(1000 * extract(epoch from resets_at - now()))::int as ms_left`.execute(
    db.query,
  )
  return { total: rows[0]!.total, msLeft: rows[0]!.ms_left }
}
