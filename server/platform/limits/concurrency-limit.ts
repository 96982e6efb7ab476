// Limits how many operations of one account or address run concurrently on this instance.
import { AppError } from '../operations/app-error.ts'

export class ConcurrencyLimit {
  readonly #counts = new Map<string, number>()
  readonly #max: number
  readonly #retryAfterSeconds: number

  constructor(max: number, retryAfterSeconds: number) {
    this.#max = max
    this.#retryAfterSeconds = retryAfterSeconds
  }

  /** Throws `rate_limited` if the limit is reached. Call the returned function once, when the operation has ended. */
  acquire(key: string): () => void {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#max) {
      const headers = { 'retry-after': String(this.#retryAfterSeconds) }
      throw new AppError('rate_limited', { headers })
    }
    this.#counts.set(key, count + 1)
    return () => {
      const left = (this.#counts.get(key) ?? 1) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }
}
