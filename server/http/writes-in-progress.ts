// How much that changes something one account (or, signed out, one address) may have on its way at once at one instance:
// whoever sends a thousand of them would fill the line for the database before anybody else, and a limit per minute
// hears of it too late.
import type { Endpoint } from '#contract/endpoint.ts'
import { AppError } from './app-error.ts'
import type { Context } from './context.ts'
import { addressKey } from './rate-limit.ts'

/** Generous: a window has a handful under way, files in parts too, and behind one address is perhaps a school. */
export const maxWritesInProgress = 256

export class WritesInProgress {
  readonly #counts = new Map<string, number>()

  /** Throws `rate_limited`, and nothing is begun, when too many are on their way. */
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
  // Stripe sends what it has to send; behind a proxy its address may be everybody's.
  return method !== 'GET' && path !== '/api/billing-webhook'
}
