import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { deleteUser } from '#contract/admin/admin-users.ts'
import {
  getInsights,
  getTrackInsights,
  listTopTracks,
  type InsightDay,
} from '#contract/admin/insights.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { rollUpInsights } from './roll-up-insights.ts'

let app: TestApp
let admin: Person
const today = new Date().toISOString().slice(0, 10)
const daysAgo = (count: number) =>
  new Date(Date.parse(today) - count * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

interface Play {
  user: string
  track: string
  day: string
  /** The position at which the play ended, in seconds. The track is 100 seconds long. */
  position?: number
  preview?: boolean
  counted?: boolean
  completed?: boolean
}

async function play(options: Play): Promise<void> {
  const { position = 60, preview = false, counted = true, completed = false } = options
  const at = `${options.day}T10:00:00Z`
  await app.services.db.query
    .insertInto('plays')
    .values({
      id: crypto.randomUUID(),
      user_id: options.user,
      track_id: options.track,
      is_preview: preview,
      started_at: at,
      reported_at: new Date().toISOString(),
      heard_seconds: position,
      position_seconds: position,
      duration_seconds: 100,
      completed,
      counted_at: counted ? at : null,
    })
    .execute()
}

async function pay(
  user_id: string | null,
  day: string,
  cents: number,
  cover?: [string, string],
  currency = 'usd',
) {
  await app.services.db.query
    .insertInto('payments')
    .values({
      user_id,
      amount_cents: cents,
      kind: cents > 0 ? 'payment' : 'refund',
      currency,
      payment_method: 'cash',
      paid_at: `${day}T12:00:00Z`,
      covers_from: cover?.[0] ?? null,
      covers_to: cover?.[1] ?? null,
    })
    .execute()
}

/** Runs the aggregation job now. Resets the duration of the previous run, after which the job might pause. */
async function rollUp(now = new Date()): Promise<boolean> {
  await app.services.db.query.updateTable('insight_state').set({ took_ms: 0 }).execute()
  return rollUpInsights(app.services.db, now)
}

async function read(start: string, end: string): Promise<(day: string) => InsightDay | undefined> {
  const { body } = await admin.call(getInsights, { query: { start, end } })
  return (day) => [...body.previous, ...body.days].find((row) => row.day === day)
}

test('a new service reports that it has no statistics yet', async () => {
  await app.services.db.query.updateTable('profiles').set({ is_demo: true }).execute()
  const { body } = await admin.call(getInsights, { query: { start: daysAgo(6), end: today } })
  expect(body).toMatchObject({ has_data: false, rolled_at: null })
  expect(body.days).toHaveLength(7)
  expect(body.previous).toHaveLength(7)
})

test("counts a day's plays, completions, drop-offs and listeners, and updates them when more plays are reported", async () => {
  const [track = '', other = ''] = await makeTracks(app.services.db, 2)
  const [ann, ben] = [await app.makePerson(), await app.makePerson()]
  const day = daysAgo(40)
  await play({ user: ann.id, track, day, completed: true, position: 100 })
  await play({ user: ann.id, track, day, position: 52 })
  await play({ user: ben.id, track, day, position: 3, counted: false })
  await play({ user: ben.id, track: other, day, preview: true, position: 45 })
  await play({ user: ben.id, track: other, day: daysAgo(37), position: 99 })
  expect(await rollUp()).toBe(true)
  const at = await read(daysAgo(45), daysAgo(30))
  const expected = { plays: 2, previews: 1, starts: 3, completed: 1, listeners: 2, listeners_7d: 2 }
  expect(at(day)).toMatchObject({ ...expected, heard_seconds: 200 })
  expect(at(daysAgo(38))).toMatchObject({ plays: 0, listeners: 0, listeners_7d: 2 })
  expect(at(daysAgo(33))).toMatchObject({ listeners_7d: 1 })
  expect(at(daysAgo(30))).toMatchObject({ listeners_7d: 0 })

  await sql`update plays set completed = true where user_id = ${ann.id}`.execute(
    app.services.db.query,
  )
  await rollUp()
  expect((await read(daysAgo(45), daysAgo(30)))(day)).toMatchObject({ starts: 3, completed: 2 })

  const params = { id: track }
  const query = { start: daysAgo(45), end: today }
  const { body } = await admin.call(getTrackInsights, { params, query })
  expect(body.left_at).toHaveLength(21)
  expect([body.left_at[0], body.left_at[10], body.left_at[20]]).toEqual([1, 0, 2])
  const top = await admin.call(listTopTracks, { query })
  expect(top.body.data.map(({ track_id }) => track_id)).toEqual([track, other])
  expect(top.body.data[0]).toMatchObject({ plays: 2, starts: 3, completed: 2 })
})

test("counts plays during a track's early access separately", async () => {
  const [track = '', open = ''] = await makeTracks(app.services.db, 2, { prefix: 'Early' })
  await app.services.db.query
    .updateTable('tracks')
    .set({ early_access_days: 7, early_access_until: `${daysAgo(10)}T12:00:00Z` })
    .where('id', '=', track)
    .execute()
  const listener = await app.makePerson()
  const made = { user: listener.id, track }
  // Early access started 17 days ago at noon. The plays are at ten in the morning.
  for (const age of [17, 16, 10, 9]) await play({ ...made, day: daysAgo(age) })
  await play({ ...made, day: daysAgo(12), preview: true })
  await play({ ...made, day: daysAgo(12), counted: false })
  const early = async (id: string) => {
    const query = { start: daysAgo(2), end: today }
    return (await admin.call(getTrackInsights, { params: { id }, query })).body.early_access_plays
  }
  expect(await early(track)).toBe(2)
  expect(await early(open)).toBeNull()
})

test('sums of monthly and daily aggregates equal the sums of daily aggregates alone', async () => {
  const [track = ''] = await makeTracks(app.services.db, 1, { prefix: 'Year' })
  const listener = await app.makePerson()
  for (const age of [0, 1, 20, 33, 61, 95, 200, 364, 365]) {
    await play({ user: listener.id, track, day: daysAgo(age) })
  }
  await rollUp()
  const count = async (start: number, end: number) => {
    const query = { start: daysAgo(start), end: daysAgo(end) }
    const { body } = await admin.call(listTopTracks, { query })
    return body.data.find((row) => row.track_id === track)?.plays ?? 0
  }
  expect(await count(364, 0)).toBe(8)
  expect(await count(400, 0)).toBe(9)
  expect(await count(100, 33)).toBe(3)
  expect(await count(0, 0)).toBe(1)
  for (let age = 0; age < 120; age += 7) {
    const expected = [0, 1, 20, 33, 61, 95].filter((at) => at <= age).length
    expect([age, await count(age, 0)]).toEqual([age, expected])
  }
})

test('reports revenue, refunds, recurring revenue, lost members, and members who first paid after a preview', async () => {
  const [track = ''] = await makeTracks(app.services.db, 1, { prefix: 'Bait' })
  const people = await Promise.all([1, 2, 3].map(() => app.makePerson()))
  const [kept = '', left = '', late = ''] = people.map(({ id }) => id)
  const day = daysAgo(100)
  await play({ user: kept, track, day: daysAgo(105), preview: true })
  await play({ user: left, track, day: daysAgo(120), preview: true })
  const month = (age: number): [string, string] => [daysAgo(age), daysAgo(age - 30)]
  for (const age of [100, 70, 40, 10]) await pay(kept, daysAgo(age), 1000, month(age))
  await pay(left, day, 12_000, [day, daysAgo(100 - 365)])
  await pay(left, daysAgo(95), -12_000)
  await pay(late, day, 1000, month(100))
  // A member who pays five days late does not count as lost.
  await pay(late, daysAgo(65), 1000, month(65))
  await rollUp()
  const at = await read(daysAgo(130), today)
  expect(at(day)).toMatchObject({
    revenue_cents: 14_000,
    mrr_cents: 3000,
    paying: 3,
    conversions: 3,
    preview_conversions: 1,
  })
  expect(at(daysAgo(95))).toMatchObject({ refunds_cents: 12_000 })
  expect(at(daysAgo(70))).toMatchObject({ lost: 0, conversions: 0 })
  expect(at(daysAgo(35))).toMatchObject({ lost: 1 })
  const { body } = await admin.call(listTopTracks, {
    query: { start: daysAgo(130), end: today, sort: 'conversions' },
  })
  expect(body.data[0]).toMatchObject({ track_id: track, conversions: 1 })

  // A backdated manual payment is found, because the job looks for entries by the time of their insertion.
  await pay(late, daysAgo(98), 500)
  await rollUp()
  expect((await read(daysAgo(130), today))(daysAgo(98))).toMatchObject({ revenue_cents: 500 })
})

test('still counts a sign-up after the account was deleted', async () => {
  const before = (await read(today, today))(today)?.sign_ups ?? 0
  const person = await app.makePerson()
  await rollUp()
  await admin.call(deleteUser, { params: { id: person.id } })
  await rollUp()
  expect((await read(today, today))(today)?.sign_ups).toBeGreaterThan(before)
})

test('the aggregation runs on one instance at a time, and pauses after a long run', async () => {
  await rollUp()
  const state = app.services.db.query.updateTable('insight_state')
  await state.set({ took_ms: 0 }).execute()
  const now = new Date()
  const runs = await Promise.all([1, 2, 3].map(() => rollUpInsights(app.services.db, now)))
  expect(runs.filter(Boolean)).toHaveLength(1)
  await state.set({ took_ms: 30_000 }).execute()
  expect(await rollUpInsights(app.services.db, new Date(now.getTime() + 60_000))).toBe(false)
})

test("rejects invalid ranges, and returns 'track_not_found' for an unknown track", async () => {
  const get = (path: string) => admin.send('GET', path)
  const bad = [
    ['?start=2026-02-01&end=2026-01-01', 'invalid_period'],
    ['?start=1990-01-01&end=2026-01-01', 'invalid_period'],
    ['?start=yesterday&end=2026-01-01', 'invalid_input'],
    ["?start=2026-01-01'--&end=2026-01-01", 'invalid_input'],
    ['?start=2026-02-30&end=2026-03-01', 'invalid_input'],
    ['', 'invalid_input'],
  ]
  for (const [query, code] of bad) {
    expect((await get(`/api/admin-insights${query}`)).code, query).toBe(code)
    expect((await get(`/api/admin-insights/tracks${query}`)).code, query).toBe(code)
    expect((await get(`/api/admin-insights/export.csv${query}`)).code, query).toBe(code)
  }
  const range = '?start=2026-01-01&end=2026-01-31'
  const sort = `${range}&sort=plays;drop table plays`
  expect((await get(`/api/admin-insights/tracks${sort}`)).code).toBe('invalid_input')
  const unknown = '0191a0c0-0000-7000-8000-0000000000aa'
  expect((await get(`/api/admin-insights/tracks/${unknown}${range}`)).code).toBe('track_not_found')
  expect((await get(`/api/admin-insights/tracks/1${range}`)).code).toBe('not_found')
})

test('exports days, tracks and the ledger as CSV that is safe for spreadsheets', async () => {
  const [track = ''] = await makeTracks(app.services.db, 1, { prefix: '=HYPERLINK' })
  const person = await app.makePerson()
  await play({ user: person.id, track, day: today })
  await admin.call(runBillingAction, {
    body: {
      action: 'record_payment',
      user_id: person.id,
      kind: 'payment',
      amount_cents: 999,
      payment_method: 'zelle',
    },
  })
  await rollUp()
  const lines = async (what: string) => {
    const answer = await admin.send(
      'GET',
      `/api/admin-insights/export.csv?start=${daysAgo(2)}&end=${today}&what=${what}`,
    )
    expect(answer.headers.get('content-disposition')).toMatch(/filename="insights-\w+-\d+\.csv"/)
    return String(answer.body).trim().split('\n')
  }
  expect(await lines('days')).toHaveLength(4)
  expect((await lines('days'))[0]).toMatch(/^day,plays,.*,currency$/)
  expect((await lines('tracks')).join()).toContain("'=HYPERLINK")
  expect((await lines('ledger')).join()).toContain(
    `999,usd,zelle,free,${person.id},${person.email}`,
  )
})

test("a backdated payment that becomes a member's first payment moves the conversion to its day", async () => {
  const [track = ''] = await makeTracks(app.services.db, 1, { prefix: 'Moved' })
  const person = await app.makePerson()
  await play({ user: person.id, track, day: daysAgo(20), preview: true })
  await pay(person.id, daysAgo(18), 1000)
  await rollUp()
  const led = async () => {
    const query = { start: daysAgo(60), end: today, sort: 'conversions' } as const
    const { body } = await admin.call(listTopTracks, { query })
    return body.data.find(({ track_id }) => track_id === track)?.conversions
  }
  const came = async () => (await read(daysAgo(60), today))(daysAgo(18))?.conversions ?? 0
  expect([await led(), await came()]).toEqual([1, 1])
  await pay(person.id, daysAgo(50), 1000)
  await rollUp()
  expect([await led(), await came()]).toEqual([0, 0])
})

test('the screen and the CSV show the currency with the most revenue', async () => {
  const query = { start: today, end: today }
  const csv = async () => {
    const path = `/api/admin-insights/export.csv?start=${today}&end=${today}&what=days`
    const [names = '', values = ''] = String((await admin.send('GET', path)).body)
      .trim()
      .split('\n')
    const at = names.split(',').indexOf('revenue_cents')
    return [values.split(',').at(-1), Number(values.split(',')[at])]
  }
  expect((await csv())[0]).toBe('usd')
  const person = await app.makePerson()
  await pay(person.id, today, 90_000_00, undefined, 'eur')
  await rollUp()
  const { body } = await admin.call(getInsights, { query })
  expect(body).toMatchObject({ currency: 'eur', other_currencies: ['usd'] })
  expect(body.days[0]).toMatchObject({ revenue_cents: 90_000_00 })
  expect(await csv()).toEqual(['eur', 90_000_00])
})
