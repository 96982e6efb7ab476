import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { restrictionMark, restrictionNow, restrictionSentence } from './format-restriction.ts'

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-27T12:00:00Z') }))
afterEach(() => vi.useRealTimers())

const mark = (marks: Parameters<typeof restrictionNow>[0]) => {
  const restriction = restrictionNow(marks)
  return restriction && [restrictionMark(restriction), restrictionSentence(restriction)]
}

test('names the day from which everyone can hear it, with the year if it is another one', () => {
  expect(mark({ early_access_until: '2026-12-04T12:00:00Z' })).toEqual([
    'Premium until Fri, Dec 4',
    'Early access for Premium: for everyone from Fri, Dec 4.',
  ])
  expect(mark({ early_access_until: '2027-01-04T12:00:00Z' })?.[0]).toBe(
    'Premium until Mon, Jan 4, 2027',
  )
})

test('says Premium only, also in early access', () => {
  expect(mark({ premium_only: true, early_access_until: '2026-12-04T12:00:00Z' })).toEqual([
    'Premium only',
    'This is for Premium members only.',
  ])
})

test('says nothing when early access has ended, or an older server left the fields out', () => {
  vi.setSystemTime('2026-12-04T12:00:00Z')
  expect(mark({ premium_only: false, early_access_until: '2026-12-04T12:00:00Z' })).toBeNull()
  expect(mark({})).toBeNull()
})
