import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '../../../base/api/api.ts'
import { classifyFailure } from './playback-failure.ts'

const answer = (code: ErrorCode | 'network', status: number) =>
  new ApiError(code, status, 'The words of the server.')

describe('action for a failed track', () => {
  test.each([
    ['no connection', answer('network', 0), 'retry'],
    ['a restarting server', answer('unavailable', 503), 'retry'],
    ['a broken server', answer('internal', 500), 'retry'],
    ['too many requests', answer('rate_limited', 429), 'retry'],
    ['maintenance', answer('maintenance', 503), 'stop'],
    ['an ended session', answer('unauthenticated', 401), 'refetch-session'],
    ['an ended plan', answer('premium_required', 403), 'refetch-session'],
    ['a banned account', answer('banned', 403), 'refetch-session'],
    ['a missing file', answer('track_file_missing', 404), 'skip'],
    ['an unpublished track', answer('track_not_found', 404), 'skip'],
    ['a track still in processing', answer('track_not_ready', 409), 'skip'],
  ])('%s: %#', (_, error, act) => {
    expect(classifyFailure(error, 4, 'Dawn').act).toBe(act)
  })

  test('skips a file that cannot be decoded and retries a broken transfer', () => {
    expect(classifyFailure(null, 3, 'Dawn')).toEqual({
      act: 'skip',
      message: '“Dawn” cannot be played.',
    })
    expect(classifyFailure(null, 2, 'Dawn').act).toBe('retry')
  })

  test('returns why a track needs Premium', () => {
    const refused = (details: unknown) =>
      classifyFailure(new ApiError('premium_required', 403, 'With Premium', details), 4, 'Dawn')
    expect(refused(undefined)).toEqual({ act: 'refetch-session', message: 'With Premium' })
    expect(refused({ reason: 'premium_only' }).message).toBe('This is for Premium members only.')
    expect(refused({ reason: 'early_access', until: '2090-12-04T12:00:00Z' }).message).toBe(
      'Early access for Premium: for everyone from Mon, Dec 4, 2090.',
    )
  })

  test('returns the reason of the restriction for a restricted track', () => {
    expect(classifyFailure(answer('track_not_found', 404), 4, 'Dawn').message).toBe(
      '“Dawn” is no longer available.',
    )
    expect(classifyFailure(answer('track_file_missing', 404), 4, 'Dawn').message).toContain(
      'words of the server',
    )
    expect(classifyFailure(answer('track_not_ready', 409), 4, 'Dawn').message).toContain(
      'words of the server',
    )
  })
})
