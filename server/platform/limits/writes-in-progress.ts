// Caps concurrent writes per account (or per address when signed out) on one instance, so that one client cannot
// exhaust the database pool. A limit per minute would react too late.
import type { Endpoint } from '#contract/endpoint.ts'
import { AppError } from '../operations/app-error.ts'
import type { Context } from '../operations/context.ts'
import { addressKey } from './rate-limit.ts'

/** Generous: a window has a handful in progress, plus upload parts, and one address may be a whole school. */
export const maxWritesInProgress = 256

export class WritesInProgress {
  readonly #counts = new Map<string, number>()

  /** Throws `rate_limited` without starting `write` when too many writes are in progress. */
  async run<T>(endpoint: Endpoint, ctx: Context, write: () => Promise<T>): Promise<T> {
    if (!isCounted(endpoint)) return write()
    const key = ctx.actor?.user_id ?? addressKey(ctx.ip)
    const count = this.#counts.get(key) ?? 0
    if (count >= maxWritesInProgress) {
      throw new AppError('rate_limited', { headers: { 'retry-after': '1' } })
    }
    this.#counts.set(key, count + 1)
    try {
      return await write()
    } finally {
      const left = (this.#counts.get(key) ?? 1) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }
}

function isCounted({ method, path }: Endpoint): boolean {
  // Stripe's webhook is never limited; behind a proxy its address may be shared with everybody.
  return method !== 'GET' && path !== '/api/billing-webhook'
}
