import { expect, test } from 'vitest'
import { addDaysIn, toInstant, isTimeZone, toLocalTime } from './zoned-time.ts'

const berlin = 'Europe/Berlin'
const newYork = 'America/New_York'

test.each([
  // Ordinary days in winter and summer.
  ['2026-11-27T18:00', berlin, '2026-11-27T17:00:00.000Z', 'exact'],
  ['2026-07-01T18:00', berlin, '2026-07-01T16:00:00.000Z', 'exact'],
  ['2026-11-27T18:00', newYork, '2026-11-27T23:00:00.000Z', 'exact'],
  ['2026-11-27T18:00', 'Asia/Kathmandu', '2026-11-27T12:15:00.000Z', 'exact'],
  ['2026-11-27T18:00', 'UTC', '2026-11-27T18:00:00.000Z', 'exact'],
  // Clocks go back: 02:00 to 02:59 occur twice, and the first occurrence is used.
  ['2026-10-25T01:59', berlin, '2026-10-24T23:59:00.000Z', 'exact'],
  ['2026-10-25T02:00', berlin, '2026-10-25T00:00:00.000Z', 'repeated'],
  ['2026-10-25T02:30', berlin, '2026-10-25T00:30:00.000Z', 'repeated'],
  ['2026-10-25T03:00', berlin, '2026-10-25T02:00:00.000Z', 'exact'],
  ['2026-11-01T01:30', newYork, '2026-11-01T05:30:00.000Z', 'repeated'],
  ['2026-11-01T02:00', newYork, '2026-11-01T07:00:00.000Z', 'exact'],
  // Clocks go forward: 02:00 to 02:59 do not exist, and the result is one hour later.
  ['2027-03-28T01:59', berlin, '2027-03-28T00:59:00.000Z', 'exact'],
  ['2027-03-28T02:00', berlin, '2027-03-28T01:00:00.000Z', 'skipped'],
  ['2027-03-28T02:30', berlin, '2027-03-28T01:30:00.000Z', 'skipped'],
  ['2027-03-28T03:00', berlin, '2027-03-28T01:00:00.000Z', 'exact'],
  ['2027-03-14T02:30', newYork, '2027-03-14T07:30:00.000Z', 'skipped'],
  ['2027-03-14T03:00', newYork, '2027-03-14T07:00:00.000Z', 'exact'],
  // A zone that skipped an entire day: Samoa, when it crossed the date line.
  ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z', 'skipped'],
])('%s in %s is %s (%s)', (local, zone, instant, resolved) => {
  const found = toInstant(local, zone)
  expect([found.at.toISOString(), found.resolved]).toEqual([instant, resolved])
})

test('round-trips every existing minute of a day on which clocks change', () => {
  const days = [
    ['2026-10-25', berlin],
    ['2027-03-28', berlin],
    ['2026-11-01', newYork],
    ['2027-03-14', newYork],
  ] as const
  const typed = days.flatMap(([day, zone]) =>
    Array.from({ length: 24 * 12 }, (_, at) => {
      const time = new Date(at * 5 * 60_000).toISOString().slice(11, 16)
      return { local: `${day}T${time}`, zone, ...toInstant(`${day}T${time}`, zone) }
    }),
  )
  const existing = typed.filter(({ resolved }) => resolved !== 'skipped')
  expect(existing.map(({ at, zone }) => toLocalTime(at, zone))).toEqual(
    existing.map(({ local }) => local),
  )
  expect(typed.length - existing.length).toBe(2 * 12)
})

test('adds calendar days, even across a clock change', () => {
  const friday = new Date('2026-10-23T16:00:00.250Z')
  expect(addDaysIn(friday, 7, berlin).toISOString()).toBe('2026-10-30T17:00:00.250Z')
  expect(addDaysIn(friday, 7, 'UTC').toISOString()).toBe('2026-10-30T16:00:00.250Z')
  expect(addDaysIn(new Date('2026-10-30T17:00:00Z'), -7, berlin).toISOString()).toBe(
    '2026-10-23T16:00:00.000Z',
  )
  expect(addDaysIn(friday, 0, berlin)).toEqual(friday)
})

test.each([
  [berlin, true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Europe/Atlantis', false],
  ['+02:00', false],
  ['', false],
  ["Europe/Berlin'; drop table tracks", false],
])('%s is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected)
})
