// Tests that rows written as JSON by PostgreSQL equal the rows that our own parsers return.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { readAsJson, formatTimestamp } from './json-rows.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const person = z.object({
  display_name: z.nullable(z.string()),
  created_at: z.string(),
  tags: z.array(z.string()),
  gain: z.number(),
  is_new: z.boolean(),
})
const awkward = `"quoted" \\ back, line\nbreak, tab\t, é, 音楽, 🎧, \u2028, </script>`

const people = (order: 'asc' | 'desc') =>
  database.db.query
    .selectFrom('profiles as p')
    .select([
      'p.email',
      'p.display_name',
      formatTimestamp('p.created_at').as('created_at'),
      sql<string[]>`array[${awkward}, '']::text[]`.as('tags'),
      sql<number>`-14.20::float8`.as('gain'),
      sql<boolean>`true`.as('is_new'),
    ])
    .orderBy('p.email', order)

test("returns exactly the fields of the shape, in the query's order and with any text", async () => {
  await sql`
    insert into profiles (email, display_name, subscription_status, subscription_tier, created_at)
    values ('a@example.com', ${awkward}, 'inactive', 'free', '2026-11-21 03:00:00.123999+00'),
           ('b@example.com', '', 'inactive', 'free', '0001-01-01 00:00:00+00')`.execute(
    database.db.query,
  )
  const shared = { tags: [awkward, ''], gain: -14.2, is_new: true }
  const a = { display_name: awkward, created_at: '2026-11-21T03:00:00.123Z', ...shared }
  const b = { display_name: '', created_at: '0001-01-01T00:00:00.000Z', ...shared }
  for (const [order, expected] of [
    ['asc', [a, b]],
    ['desc', [b, a]],
  ] as const) {
    const rows = await readAsJson(database.db, person, people(order), ['email'])
    expect(rows.map(({ json }) => JSON.parse(json.text) as unknown)).toEqual(expected)
    expect(Object.keys(rows[0]!)).toEqual(['email', 'json'])
  }
  expect(Object.keys((await readAsJson(database.db, person, people('asc')))[0]!)).toEqual(['json'])
})

test('truncates timestamps in the same way as our own parser', async () => {
  const { rows } = await sql<{ written: string; created_at: string }>`
    select ${formatTimestamp('p.created_at')} as written, created_at from profiles p`.execute(
    database.db.query,
  )
  expect(rows.map(({ written }) => written)).toEqual(rows.map(({ created_at }) => created_at))
})
