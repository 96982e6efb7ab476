// Compares the TypeScript and the SQL version of the availability rule, on a real PostgreSQL.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Availability } from '#contract/fields/availability.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { selectAvailability, getAvailability, type AvailabilityFields } from './availability.ts'
import {
  computeAvailabilityChanges,
  noAvailability,
  getPublishedColumns,
  type AvailabilityColumns,
  type AvailabilityInput,
} from './change-availability.ts'

const now = new Date('2026-11-27T17:00:00.000Z')
const [past, later] = ['2026-11-27T16:59:59.999Z', '2026-11-27T17:00:00.001Z']
const moments = [null, past, now.toISOString(), later]

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const combinations: AvailabilityFields[] = [true, false].flatMap((is_published) =>
  moments.flatMap((release_at) =>
    moments.flatMap((early_access_until) =>
      (['everyone', 'members', 'premium'] as const).map((audience) => ({
        is_published,
        release_at,
        early_access_until,
        audience,
      })),
    ),
  ),
)

test('the TypeScript and the SQL rule agree on all combinations of fields', async () => {
  const { rows } = await sql<{ stage: Availability }>`
    select ${selectAvailability('t', { now: sql`${now.toISOString()}::timestamptz` })} as stage
      from jsonb_to_recordset(${JSON.stringify(combinations)}::jsonb) t (
        is_published boolean, release_at timestamptz, early_access_until timestamptz, audience text
      )`.execute(database.db.query)
  expect(rows.map(({ stage }) => stage)).toEqual(
    combinations.map((fields) => getAvailability(fields, now)),
  )
})

test.each<[Partial<AvailabilityFields>, Availability]>([
  [{ is_published: false }, 'draft'],
  [{ is_published: false, release_at: later }, 'scheduled'],
  // The release date has passed, but the row has not been published yet.
  [{ is_published: false, release_at: past }, 'scheduled'],
  [{ is_published: false, audience: 'premium' }, 'draft'],
  [{}, 'members'],
  [{ early_access_until: later }, 'early_access'],
  [{ early_access_until: now.toISOString() }, 'members'],
  [{ early_access_until: past }, 'members'],
  [{ audience: 'everyone' }, 'everyone'],
  [{ audience: 'everyone', early_access_until: later }, 'early_access'],
  [{ is_published: false, audience: 'everyone' }, 'draft'],
  [{ audience: 'premium' }, 'premium_only'],
  [{ audience: 'premium', early_access_until: later }, 'premium_only'],
])('%o is %s', (fields, expected) => {
  const open = {
    is_published: true,
    release_at: null,
    early_access_until: null,
    audience: 'members',
  } as const
  expect(getAvailability({ ...open, ...fields }, now)).toBe(expected)
})

describe('changing the availability of a row', () => {
  const change = (
    row: Partial<AvailabilityColumns>,
    input: AvailabilityInput,
    state: { wasPublished?: boolean; isPublished?: boolean } = {},
  ) => {
    const { wasPublished = false, isPublished = wasPublished } = state
    const whole = { ...noAvailability, ...row }
    return computeAvailabilityChanges(whole, input, { wasPublished, isPublished, now })
  }
  const zone = 'Europe/Berlin'

  test('changes nothing for an empty request', () => {
    expect(change({ release_at: later, release_zone: zone }, {})).toEqual({})
  })

  test('requires a time zone and a future time for a release date', () => {
    expect(change({}, { release_at: later, release_zone: zone })).toEqual({
      release_at: later,
      release_zone: zone,
      early_access_until: null,
    })
    expect(() => change({}, { release_at: later })).toThrow('The request is not valid')
    expect(() => change({ release_at: later, release_zone: zone }, { release_zone: null })).toThrow(
      'The request is not valid',
    )
    for (const release_at of [past, now.toISOString()]) {
      expect(() => change({}, { release_at, release_zone: zone })).toThrow('has passed')
    }
  })

  test('accepts a stored date that has passed, if it is not changed', () => {
    const row = { release_at: past, release_zone: zone }
    expect(change(row, row)).toEqual({ release_zone: zone })
  })

  test('rejects a date for a published row unless the same request unpublishes it', () => {
    const input = { release_at: later, release_zone: zone }
    expect(() => change({}, input, { wasPublished: true })).toThrow('can already see this')
    expect(() => change({}, input, { isPublished: true })).toThrow('can already see this')
    const hidden = change({}, input, { wasPublished: true, isPublished: false })
    expect(hidden).toMatchObject({ release_at: later })
  })

  test('counts early access in calendar days from the publication, and grants it once', () => {
    const row = { ...noAvailability, release_zone: zone, early_access_days: 7 }
    const from = new Date('2026-10-23T16:00:00Z')
    const until = '2026-10-30T17:00:00.000Z'
    expect(getPublishedColumns(row, from)).toEqual({ release_at: null, early_access_until: until })
    const again = { ...row, early_access_until: until }
    expect(getPublishedColumns(again, now)).toEqual({ release_at: null, early_access_until: until })
    const without = { ...again, early_access_days: 0 }
    expect(getPublishedColumns(without, now)).toEqual({
      release_at: null,
      early_access_until: null,
    })
  })

  test('moves the end of early access by the difference when the number of days changes', () => {
    const row = {
      release_zone: zone,
      early_access_days: 7,
      early_access_until: '2026-11-30T17:00:00.000Z',
    }
    const published = { wasPublished: true }
    expect(change(row, { early_access_days: 9 }, published)).toEqual({
      early_access_days: 9,
      early_access_until: '2026-12-02T17:00:00.000Z',
    })
    expect(change(row, { early_access_days: 0 }, published)).toEqual({
      early_access_days: 0,
      early_access_until: null,
    })
    expect(change(row, { early_access_days: 7 }, published)).toEqual({})
  })

  test('starts early access immediately for a published row, and at publication for a draft', () => {
    const days = { early_access_days: 2 }
    expect(change({}, days, { wasPublished: true })).toEqual({
      ...days,
      early_access_until: '2026-11-29T17:00:00.000Z',
    })
    expect(change({}, days)).toEqual({ ...days, early_access_until: null })
  })
})
