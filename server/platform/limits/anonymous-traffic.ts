// Rate limit for anonymous traffic per address, shared by all instances. Signed-in people, streams, pictures and pages
// are not counted.
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { minute } from '#contract/rate-limit.ts'
import type { Database } from '../db/database.ts'
import { getAddressKey, createLimitedKey } from './limit-keys.ts'
import { createSharedStore } from './limit-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { consumeRateLimit } from './rate-limit.ts'

/** High enough for a school behind one address, and too low for an attack. */
export const anonymousRequestsPerMinute = 600

export interface TrafficRules {
  db: Database
  /** Whether the request has a valid session. */
  isSignedIn: (request: FastifyRequest) => boolean | Promise<boolean>
  perMinute?: number
}

/** Registers the limit. Call it before the routes are registered. */
export function limitAnonymousTraffic(app: FastifyInstance, rules: TrafficRules): void {
  const { db, perMinute = anonymousRequestsPerMinute } = rules
  const limit = { name: 'traffic', count: perMinute, seconds: minute }
  const shared = { store: createSharedStore(db, 'traffic_counts'), batchShare: 1 / 20, log: db.log }
  const store = createMemoryStore(shared)
  const countVisit = async (request: FastifyRequest) => {
    if (await isSignedIn(rules, request)) return
    await consumeRateLimit(store, [createLimitedKey(limit, getAddressKey(request.ip))])
  }
  app.addHook('onRoute', (route) => {
    if (isCounted(route)) route.onRequest = [route.onRequest ?? [], countVisit].flat()
  })
}

async function isSignedIn(rules: TrafficRules, request: FastifyRequest): Promise<boolean> {
  try {
    return await rules.isSignedIn(request)
  } catch (error) {
    // Without the database no session can be checked, so the request counts as anonymous. The operation itself
    // reports the outage.
    request.log.debug({ err: error }, 'counted as a visitor')
    return false
  }
}

function isCounted(route: RouteOptions): boolean {
  // Stripe's webhook is never limited, because behind a proxy all requests may have the same address.
  if (route.url === '/api/billing-webhook') return false
  const endpoint = (route.config as { endpoint?: Endpoint } | undefined)?.endpoint
  return endpoint?.access === 'anyone' && endpoint.produces === undefined
}
