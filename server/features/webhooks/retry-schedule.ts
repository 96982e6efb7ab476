// The schedule for retrying a failed delivery. The last retry is about three days after the event.

const minute = 60
const hour = 60 * minute

/** The delay before each retry, in seconds. */
export const retryDelays = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  20 * hour,
] as const

/** Each delay varies randomly by up to this share, so that retries after an outage are spread out. */
export const jitter = 0.1

/** An endpoint is disabled after it has failed for this many days. */
export const disableAfterDays = 5

/** Returns the delay before the next retry, or null if there are no more retries. `random` is between 0 and 1. */
export function getRetryDelaySeconds(retries: number, random = Math.random()): number | null {
  const delay = retryDelays[retries]
  return delay === undefined ? null : delay * (1 - jitter + 2 * jitter * random)
}
