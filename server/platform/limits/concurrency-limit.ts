// Limits how many operations of one account or address run concurrently on this instance.
import { AppError } from '../operations/app-error.ts'

export interface ConcurrencyLimit {
  /** Throws `rate_limited` if the limit is reached. Call the returned function once, when the operation has ended. */
  acquire: (key: string) => () => void
}

export function createConcurrencyLimit(max: number, retryAfterSeconds: number): ConcurrencyLimit {
  const counts = new Map<string, number>()
  return {
    acquire(key) {
      const count = counts.get(key) ?? 0
      if (count >= max) {
        throw new AppError('rate_limited', {
          headers: { 'retry-after': String(retryAfterSeconds) },
        })
      }
      counts.set(key, count + 1)
      return () => {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}
