const firstPauseMs = 60_000
const longestPauseMs = 6 * 3600_000

/**
 * Computes when a failed call to another service is retried: after one minute, then after twice the previous delay.
 */
export function nextAttemptAt(now: Date, attempts: number, longestMs = longestPauseMs): string {
  return new Date(now.getTime() + Math.min(firstPauseMs * 2 ** attempts, longestMs)).toISOString()
}
