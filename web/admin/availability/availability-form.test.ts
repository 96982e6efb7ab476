import { expect, test } from 'vitest'
import {
  toAvailabilityBody,
  toAvailabilityForm,
  emptyAvailability,
  findDaysProblem,
  type AvailabilityForm,
} from './availability-form.ts'

const form = (changes: Partial<AvailabilityForm>): AvailabilityForm => ({
  ...emptyAvailability(),
  release_zone: 'Europe/Berlin',
  ...changes,
})
const hidden = (changes: Partial<AvailabilityForm>) => ({
  form: form(changes),
  isPublished: false,
})

test.each([
  ['2026-11-27', '18:00', 'Europe/Berlin', '2026-11-27T17:00:00.000Z'],
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2027-03-28', '02:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
  ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2027-03-14', '12:00', 'America/New_York', '2027-03-14T16:00:00.000Z'],
])('sends %s %s in %s as %s with the time zone', (date, time, release_zone, release_at) => {
  const typed = hidden({ release_date: date, release_time: time, release_zone })
  expect(toAvailabilityBody(typed, hidden({}))).toEqual({ release_at, release_zone })
})

test('shows a stored date in the time zone it was entered in', () => {
  const stored = {
    release_at: '2026-11-27T23:00:00.000Z',
    release_zone: 'America/New_York',
    early_access_days: 7,
    audience: 'premium',
  } as const
  const shown = toAvailabilityForm(stored)
  expect(shown).toEqual({
    release_date: '2026-11-27',
    release_time: '18:00',
    release_zone: 'America/New_York',
    early_access_days: '7',
    audience: 'premium',
  })
  const unchanged = { form: shown, isPublished: false }
  expect(toAvailabilityBody(unchanged, unchanged)).toEqual({})
  const elsewhere = { form: { ...shown, release_zone: 'UTC' }, isPublished: false }
  expect(toAvailabilityBody(elsewhere, unchanged)).toEqual({
    release_at: '2026-11-27T18:00:00.000Z',
    release_zone: 'UTC',
  })
})

test('removes the date when publishing now, and sends no time zone if there is no date', () => {
  const dated = hidden({ release_date: '2026-11-27' })
  expect(toAvailabilityBody({ ...dated, isPublished: true }, dated)).toEqual({ release_at: null })
  expect(toAvailabilityBody(hidden({}), dated)).toEqual({ release_at: null })
  expect(toAvailabilityBody(hidden({ release_zone: 'UTC' }), hidden({}))).toEqual({})
  expect(toAvailabilityBody(hidden({ early_access_days: '7' }))).toEqual({
    release_at: null,
    early_access_days: 7,
    audience: 'members',
  })
})

test('accepts only whole days of early access', () => {
  const problem = (early_access_days: string) => findDaysProblem(form({ early_access_days }))
  expect(['', '0', '365'].map(problem)).toEqual([null, null, null])
  for (const days of ['-1', '366', '1.5', 'x']) expect(problem(days)).toContain('0 to 365')
})
