// The rate limiter: counts each attempt and refuses it beyond a limit. An attempt is counted before its work starts,
// so that concurrent attempts cannot exceed a limit.
import { AppError } from '../operations/app-error.ts'
import type { LimitedKey } from './limit-keys.ts'
import type { LimitStore, Window } from './limit-store.ts'

/** Counts an attempt for each key. Throws `rate_limited` with Retry-After if one limit is exceeded. */
export async function consumeRateLimit(
  store: LimitStore,
  keys: readonly LimitedKey[],
): Promise<void> {
  throwIfUsedUp(await store.add(keys))
}

/** Counts an attempt and returns whether it is within the limit. */
export async function isWithinLimit(store: LimitStore, key: LimitedKey): Promise<boolean> {
  return !(await store.add([key])).some(isUsedUp)
}

/** Throws `rate_limited` with the longest waiting time of all limits that are used up. */
export function throwIfUsedUp(windows: readonly Window[]): void {
  const waits = windows.filter(isUsedUp).map(secondsLeft)
  if (waits.length === 0) return
  throw new AppError('rate_limited', { headers: { 'retry-after': String(Math.max(...waits)) } })
}

/**
 * Returns the headers of draft-ietf-httpapi-ratelimit-headers-10 with every limit. For older clients, also the three
 * headers of the third draft, which describe only the limit with the fewest attempts left.
 */
export function buildRateLimitHeaders(windows: readonly Window[]): Record<string, string> {
  const [tightest] = windows.toSorted((a, b) => attemptsLeft(a) - attemptsLeft(b))
  if (!tightest) return {}
  return {
    'ratelimit-policy': windows
      .map(({ limit }) => `"${limit.name}";q=${limit.count};w=${limit.seconds}`)
      .join(', '),
    ratelimit: windows
      .map((window) => `"${window.limit.name}";r=${attemptsLeft(window)};t=${secondsLeft(window)}`)
      .join(', '),
    'ratelimit-limit': String(tightest.limit.count),
    'ratelimit-remaining': String(attemptsLeft(tightest)),
    'ratelimit-reset': String(secondsLeft(tightest)),
  }
}

function isUsedUp({ count, limit }: Window): boolean {
  return count > limit.count
}

function attemptsLeft({ count, limit }: Window): number {
  return Math.max(0, limit.count - count)
}

function secondsLeft({ msLeft }: Window): number {
  return Math.max(1, Math.ceil(msLeft / 1000))
}
