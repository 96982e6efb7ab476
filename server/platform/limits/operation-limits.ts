// Enforces the rate limits of operations: those that the contract declares, and one for all writes. Reads have no
// such limit, because their page size is limited.
import { grantsAccess } from '#contract/access.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { hour, type CallLimit, type DeclaredLimit, type RateLimit } from '#contract/rate-limit.ts'
import type { Database } from '../db/database.ts'
import type { Context } from '../operations/context.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import {
  getAddressKey,
  createAddressKeys,
  createLimitedKey,
  type LimitedKey,
} from './limit-keys.ts'
import { createSharedStore, type LimitStore } from './limit-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { consumeRateLimit, buildRateLimitHeaders, throwIfUsedUp } from './rate-limit.ts'

/**
 * High enough for any manual use, and too low to fill the database. Counted in memory, because counting in the
 * database would double the writes.
 */
export const writesPerHour: RateLimit = { name: 'write', count: 5_000, seconds: hour }

/**
 * Prevents one client from using all connections of the database pool. A limit per minute would react too late. A
 * browser tab has only a few concurrent writes plus upload parts, but one address may be a whole school.
 */
export const maxWritesInProgress = 256

type Caller = Pick<Context, 'actor' | 'ip'>
type Limited = Pick<Endpoint, 'method' | 'path' | 'rateLimit'>

export interface OperationLimits {
  /**
   * Counts a write, and throws `rate_limited` beyond the limit. Admins and editors are exempt, because they import
   * whole catalogues. Visitors have other limits.
   */
  countWrite: (endpoint: Pick<Endpoint, 'method'>, caller: Pick<Context, 'actor'>) => Promise<void>
  /** Counts the call and runs it. Beyond a limit, throws `rate_limited` without running it. */
  run: <T>(
    endpoint: Limited,
    caller: Caller,
    setHeaders: (headers: Record<string, string>) => void,
    operation: () => Promise<T>,
  ) => Promise<T>
}

/** Creates the limits of a server. Call it once per server. */
export function createOperationLimits(db: Database): OperationLimits {
  const shared: LimitStore = createSharedStore(db)
  const writes = createMemoryStore()
  const inProgress = createConcurrencyLimit(maxWritesInProgress, 1)
  return {
    async countWrite({ method }, { actor }) {
      if (method === 'GET' || !actor || grantsAccess(actor.role, 'editor')) return
      await consumeRateLimit(writes, [createLimitedKey(writesPerHour, actor.user_id)])
    },

    async run(endpoint, caller, setHeaders, operation) {
      const release = isWrite(endpoint) ? inProgress.acquire(callerKey(caller)) : null
      try {
        const keys = buildLimitKeys(endpoint, caller)
        if (keys.length > 0) {
          const windows = await shared.add(keys)
          setHeaders(buildRateLimitHeaders(windows))
          throwIfUsedUp(windows)
        }
        return await operation()
      } finally {
        release?.()
      }
    },
  }
}

export function listDeclaredLimits({
  rateLimit = [],
}: Pick<Endpoint, 'rateLimit'>): DeclaredLimit[] {
  return [rateLimit].flat()
}

export function isCallLimit(limit: DeclaredLimit): limit is CallLimit {
  return 'per' in limit
}

function buildLimitKeys(endpoint: Limited, caller: Caller): LimitedKey[] {
  return listDeclaredLimits(endpoint)
    .filter(isCallLimit)
    .filter(
      ({ exceptAdmins }) =>
        !exceptAdmins || !caller.actor || !grantsAccess(caller.actor.role, 'editor'),
    )
    .flatMap((limit) =>
      limit.per === 'address'
        ? createAddressKeys(limit, caller.ip)
        : [createLimitedKey(limit, callerKey(caller))],
    )
}

function callerKey({ actor, ip }: Caller): string {
  return actor?.user_id ?? getAddressKey(ip)
}

function isWrite({ method, path }: Limited): boolean {
  // Stripe's webhook is never limited, because behind a proxy all requests may have the same address.
  return method !== 'GET' && path !== '/api/billing-webhook'
}
