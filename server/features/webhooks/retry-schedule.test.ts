import { expect, test } from 'vitest'
import { disableAfterDays, jitter, getRetryDelaySeconds, retryDelays } from './retry-schedule.ts'

const day = 24 * 3600

test('the retries end after about three days', () => {
  const total = retryDelays.reduce((sum, delay) => sum + delay, 0)
  expect(total / day).toBeGreaterThan(2.9)
  expect(total / day).toBeLessThan(3.1)
  expect(getRetryDelaySeconds(retryDelays.length - 1)).not.toBeNull()
  expect(getRetryDelaySeconds(retryDelays.length)).toBeNull()
})

test('each retry delay is longer than the previous one, and varies randomly', () => {
  expect(retryDelays).toEqual(retryDelays.toSorted((a, b) => a - b))
  expect(getRetryDelaySeconds(3, 0)).toBeCloseTo(7200 * (1 - jitter))
  expect(getRetryDelaySeconds(3, 1)).toBeCloseTo(7200 * (1 + jitter))
})

test('an endpoint is not disabled before all retries of a delivery have failed', () => {
  const longest = retryDelays.reduce((sum, delay) => sum + delay * (1 + jitter), 0)
  expect(disableAfterDays * day).toBeGreaterThan(longest)
})
