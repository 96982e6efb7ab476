// Enforces the limits of operations: those that the contract declares, and those of all changes. Plain reads are bounded
// by their page size.
import { reaches } from '#contract/access.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { hour, type CallLimit, type DeclaredLimit, type RateLimit } from '#contract/rate-limit.ts'
import type { Database } from '../db/database.ts'
import type { Context } from '../operations/context.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { addressKey, limitByAddress, limitFor, type LimitedKey } from './limit-keys.ts'
import { sharedStore, type LimitStore } from './limit-store.ts'
import { MemoryStore } from './memory-store.ts'
import { consumeRateLimit, rateLimitHeaders, refuseUsedUp } from './rate-limit.ts'

/** Far beyond manual use, but too few to fill the database. In memory: a count in the database would double the writes. */
export const writesPerHour: RateLimit = { name: 'write', count: 5_000, seconds: hour }

/**
 * So that one client cannot exhaust the database pool: a limit per minute would react too late. Generous: a window has a
 * handful in progress, plus upload parts, and one address may be a whole school.
 */
export const maxWritesInProgress = 256

type Caller = Pick<Context, 'actor' | 'ip'>
type Limited = Pick<Endpoint, 'method' | 'path' | 'rateLimit'>

/** One for each server. */
export class OperationLimits {
  readonly #shared: LimitStore
  readonly #writes = new MemoryStore()
  readonly #inProgress = new ConcurrencyLimit(maxWritesInProgress, 1)

  constructor(db: Database) {
    this.#shared = sharedStore(db)
  }

  /** Throws `rate_limited`. Admins and editors are exempt because they import whole catalogues; visitors have other limits. */
  async countWrite({ method }: Pick<Endpoint, 'method'>, { actor }: Pick<Context, 'actor'>) {
    if (method === 'GET' || !actor || reaches(actor.role, 'editor')) return
    await consumeRateLimit(this.#writes, [limitFor(writesPerHour, actor.user_id)])
  }

  /** Counts the call, then runs it. Throws `rate_limited` without running it. */
  async run<T>(
    endpoint: Limited,
    caller: Caller,
    setHeaders: (headers: Record<string, string>) => void,
    operation: () => Promise<T>,
  ): Promise<T> {
    const release = isWrite(endpoint) ? this.#inProgress.acquire(callerKey(caller)) : null
    try {
      const keys = keysOf(endpoint, caller)
      if (keys.length > 0) {
        const windows = await this.#shared.add(keys)
        setHeaders(rateLimitHeaders(windows))
        refuseUsedUp(windows)
      }
      return await operation()
    } finally {
      release?.()
    }
  }
}

export function declaredLimits({ rateLimit = [] }: Pick<Endpoint, 'rateLimit'>): DeclaredLimit[] {
  return [rateLimit].flat()
}

export function isCallLimit(limit: DeclaredLimit): limit is CallLimit {
  return 'per' in limit
}

function keysOf(endpoint: Limited, caller: Caller): LimitedKey[] {
  return declaredLimits(endpoint)
    .filter(isCallLimit)
    .filter(
      ({ exceptAdmins }) => !exceptAdmins || !caller.actor || !reaches(caller.actor.role, 'editor'),
    )
    .flatMap((limit) =>
      limit.per === 'address'
        ? limitByAddress(limit, caller.ip)
        : [limitFor(limit, callerKey(caller))],
    )
}

function callerKey({ actor, ip }: Caller): string {
  return actor?.user_id ?? addressKey(ip)
}

function isWrite({ method, path }: Limited): boolean {
  // Stripe's webhook is never limited; behind a proxy its address may be shared with everybody.
  return method !== 'GET' && path !== '/api/billing-webhook'
}
