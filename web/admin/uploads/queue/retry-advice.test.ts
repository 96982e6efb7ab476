import { expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '../../../base/api/api.ts'
import {
  getRetryAdvice,
  sleepUntilOnline,
  retryDelayMs,
  type Advice,
  type Step,
} from './retry-advice.ts'

const createError = (
  status: number,
  code: ErrorCode | 'network',
  retryAfter: number | null = null,
) => new ApiError(code, status, 'words', undefined, retryAfter)

test.each<[number, ErrorCode | 'network', Step, Advice]>([
  [0, 'network', 'sending', 'wait'],
  [500, 'internal', 'creating', 'wait'],
  [503, 'maintenance', 'signing', 'wait'],
  [429, 'rate_limited', 'signing', 'wait'],
  [401, 'unauthenticated', 'sending', 'stop'],
  [409, 'upload_used', 'sending', 'sent'],
  [423, 'upload_locked', 'sending', 'wait'],
  [409, 'upload_incomplete', 'sending', 'wait'],
  [409, 'upload_transport', 'sending', 'restart'],
  [409, 'upload_damaged', 'sending', 'restart'],
  [404, 'upload_not_found', 'sending', 'restart'],
  [410, 'upload_expired', 'sending', 'restart'],
  [403, 'upload_token_invalid', 'sending', 'restart'],
  [409, 'upload_incomplete', 'creating', 'restart'],
  [404, 'upload_not_found', 'creating', 'restart'],
  // The track made from this upload was deleted. An upload can be used only once.
  [409, 'upload_used', 'creating', 'fail'],
  [422, 'media_damaged', 'creating', 'fail'],
  [413, 'payload_too_large', 'signing', 'fail'],
])('a response of %s %s while %s returns %s', (status, code, step, advice) => {
  expect(getRetryAdvice(createError(status, code), step)).toBe(advice)
})

test('doubles the delay up to 30 seconds, and waits at least as long as Retry-After', () => {
  const lost = createError(0, 'network')
  expect([0, 1, 2, 3, 9].map((tries) => retryDelayMs(lost, tries, 0.5))).toEqual([
    1000, 2000, 4000, 8000, 30_000,
  ])
  expect(retryDelayMs(createError(429, 'rate_limited', 60), 0, 0.5)).toBe(60_000)
})

test('stops waiting when the network is back, and rejects when aborted', async () => {
  const signal = new AbortController()
  const waiting = sleepUntilOnline(3_600_000, signal.signal)
  dispatchEvent(new Event('online'))
  await waiting
  const other = sleepUntilOnline(3_600_000, signal.signal)
  signal.abort()
  await expect(other).rejects.toMatchObject({ name: 'AbortError' })
})
