import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  getEarlyAccessText,
  canHearRestricted,
  restrictionMark,
  restrictionNow,
  getRestrictionText,
} from './format-restriction.ts'

// 2026-11-27 is a Friday.
beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-27T12:00:00') }))
afterEach(() => vi.useRealTimers())

const until = (local: string) => ({ early_access_until: new Date(local).toISOString() })

function texts(marks: Parameters<typeof restrictionNow>[0]) {
  const restriction = restrictionNow(marks)
  if (!restriction) return null
  const mark = (isHeard: boolean) => Object.values(restrictionMark(restriction, isHeard)).join('')
  return [mark(false), getRestrictionText(restriction), mark(true), getEarlyAccessText(restriction)]
}

test.each([
  ['2026-11-27T18:00:00', 'today, 18:00'],
  ['2026-11-28T00:00:00', 'tomorrow'],
  ['2026-11-28T23:59:00', 'tomorrow'],
  ['2026-11-29T00:00:00', 'Sunday'],
  ['2026-12-03T23:59:00', 'Thursday'],
  ['2026-12-04T00:00:00', 'Fri, Dec 4'],
  ['2027-01-04T12:00:00', 'Mon, Jan 4, 2027'],
])('formats an early-access end of %s as the time from which everyone can listen', (end, words) => {
  expect(texts(until(end))).toEqual([
    `For everyone from ${words}`,
    `Early access for Premium: for everyone from ${words}.`,
    'Early access',
    `Early access: for everyone from ${words}.`,
  ])
})

test('returns the Premium-only label even during early access', () => {
  expect(texts({ premium_only: true, ...until('2026-12-04T12:00:00') })).toEqual([
    'Premium only',
    'This is for Premium members only.',
    'Premium only',
    'Part of your Premium.',
  ])
})

test('returns null after early access has ended, or for responses without the fields', () => {
  vi.setSystemTime('2026-12-04T12:00:00')
  expect(texts({ premium_only: false, ...until('2026-12-04T12:00:00') })).toBeNull()
  expect(texts({})).toBeNull()
})

test('allows Premium members and admins to listen to restricted tracks', () => {
  expect(canHearRestricted({ is_premium: true, role: 'member' })).toBe(true)
  expect(canHearRestricted({ is_premium: false, role: 'admin' })).toBe(true)
  expect(canHearRestricted({ is_premium: false, role: 'member' })).toBe(false)
  expect(canHearRestricted(undefined)).toBe(false)
})
