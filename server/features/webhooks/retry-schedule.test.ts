import { expect, test } from 'vitest'
import { disableAfterDays, jitter, nextDelaySeconds, retryDelays } from './retry-schedule.ts'

const day = 24 * 3600

test('the retries span about three days, and end', () => {
  const total = retryDelays.reduce((sum, delay) => sum + delay, 0)
  expect(total / day).toBeGreaterThan(2.9)
  expect(total / day).toBeLessThan(3.1)
  expect(nextDelaySeconds(retryDelays.length - 1)).not.toBeNull()
  expect(nextDelaySeconds(retryDelays.length)).toBeNull()
})

test('each delay is longer than the one before, with jitter', () => {
  expect(retryDelays).toEqual(retryDelays.toSorted((a, b) => a - b))
  expect(nextDelaySeconds(3, 0)).toBeCloseTo(7200 * (1 - jitter))
  expect(nextDelaySeconds(3, 1)).toBeCloseTo(7200 * (1 + jitter))
})

test('an endpoint is disabled only after a whole schedule has failed', () => {
  const longest = retryDelays.reduce((sum, delay) => sum + delay * (1 + jitter), 0)
  expect(disableAfterDays * day).toBeGreaterThan(longest)
})
