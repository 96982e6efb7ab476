// A ceiling for anonymous traffic: what anybody may call is answered only so often per address, per
// instance. Signed-in people, streams, pictures and pages are never counted.
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Endpoint } from '#contract/endpoint.ts'

/** Generous: a school behind one address browses with it; a flood does not get through. */
export const anonymousRequestsPerMinute = 600

/** Call it before the routes are registered. */
export async function limitAnonymousTraffic(
  app: FastifyInstance,
  options: { isSignedIn: (request: FastifyRequest) => boolean; perMinute?: number },
): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (!isCounted(route)) route.config = { ...route.config, rateLimit: false }
  })
  await app.register(rateLimit, {
    store: TrafficStore,
    max: options.perMinute ?? anonymousRequestsPerMinute,
    timeWindow: 60_000,
    allowList: (request) => options.isSignedIn(request),
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
  // Stripe sends what it has to send; behind a proxy its address may be everybody's.
  if (route.url === '/api/billing-webhook') return false
  const endpoint = (route.config as { endpoint?: Endpoint } | undefined)?.endpoint
  return endpoint?.access === 'anyone' && endpoint.produces === undefined
}

const maxAddresses = 20_000

interface Window {
  count: number
  endsAtMs: number
}

/** Counts by a clock that never jumps: by the plugin's own, one that is set back an hour makes its minute last as long. */
class TrafficStore {
  readonly #windows = new LRUCache<string, Window>({ max: maxAddresses })

  incr(
    key: string,
    callback: (error: Error | null, result: { current: number; ttl: number }) => void,
    timeWindowMs: number,
  ): void {
    const now = performance.now()
    const known = this.#windows.get(key)
    const window =
      known && now < known.endsAtMs ? known : { count: 0, endsAtMs: now + timeWindowMs }
    window.count++
    this.#windows.set(key, window)
    callback(null, { current: window.count, ttl: Math.ceil(window.endsAtMs - now) })
  }

  /** All routes count together. */
  child(): this {
    return this
  }
}
