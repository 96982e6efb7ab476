// Caps the writes of one account per hour: far beyond manual use, but too few to fill the database. Counted in memory
// per instance, because a count in the database would add a write to every change.
import { LRUCache } from 'lru-cache'
import type { Endpoint } from '#contract/endpoint.ts'
import { AppError } from '../operations/app-error.ts'
import type { Context } from '../operations/context.ts'

export const maxWritesPerHour = 5_000
const windowMs = 3_600_000
const keptAccounts = 20_000

export class WritesPerHour {
  readonly #max: number
  /** An entry expires with its hour. */
  readonly #counts = new LRUCache<string, { count: number }>({ max: keptAccounts, ttl: windowMs })

  constructor(max = maxWritesPerHour) {
    this.#max = max
  }

  /** Throws `rate_limited`. Admins are exempt because they import whole catalogues; visitors have other limits. */
  count({ method }: Pick<Endpoint, 'method'>, { actor }: Pick<Context, 'actor'>): void {
    if (method === 'GET' || !actor || actor.role === 'admin') return
    const hour = this.#counts.get(actor.user_id) ?? { count: 0 }
    if (hour.count === 0) this.#counts.set(actor.user_id, hour)
    if (++hour.count <= this.#max) return
    const leftMs = this.#counts.getRemainingTTL(actor.user_id)
    throw new AppError('rate_limited', {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(leftMs / 1000))) },
    })
  }
}
