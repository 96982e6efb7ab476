// The schedule for retrying a failed delivery. The last retry is about three days after the event.

const minute = 60
const hour = 60 * minute

/** Seconds before each retry. */
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

/** Each delay is varied by up to this share, so that the retries after an outage are spread out. */
export const jitter = 0.1

/** An endpoint is disabled after failing for this long. */
export const disableAfterDays = 5

/** Returns null if there are no more retries. `random` is between 0 and 1. */
export function getRetryDelaySeconds(retries: number, random = Math.random()): number | null {
  const delay = retryDelays[retries]
  return delay === undefined ? null : delay * (1 - jitter + 2 * jitter * random)
}
