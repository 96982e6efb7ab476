// The generated activity of the demo accounts, and that it does not mix with real data.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { demoAccounts } from '#contract/demo.ts'
import { getInsights, getTrackInsights, listTopTracks } from '#contract/admin/insights.ts'
import { freeLimits } from '#contract/plans.ts'
import { addDays, rollUpInsights } from '../insights/roll-up-insights.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { removeDemoActivity, seedDemoActivity } from './demo-activity.ts'

let app: TestApp
let admin: Person
let member: Person
let tracks: string[]
const now = new Date()
const today = now.toISOString().slice(0, 10)
const range = { start: addDays(today, -29), end: today }

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  member = await app.makePerson({ tier: 'premium' })
  for (const { email, display_name } of demoAccounts) {
    await app.services.db.query
      .insertInto('profiles')
      .values({ email, display_name, is_demo: true })
      .execute()
  }
  tracks = await makeTracks(app.services.db, 16)
  for (const [at, track_id] of tracks.entries()) {
    await app.services.db.query
      .insertInto('demo_steps')
      .values({ step: `track:${at}`, track_id, done_at: now.toISOString() })
      .execute()
  }
  await play(member.id)
  await rollUp()
})
afterAll(() => app.close())
beforeEach(() => removeDemoActivity(app.services.db))

const seed = (at = now) => seedDemoActivity(app.services.db, at)
const rollUp = () => rollUpInsights(app.services.db, new Date(Date.now() + 3_600_000))

async function play(userId: string): Promise<void> {
  await sql`
    insert into plays (id, user_id, track_id, is_preview, started_at, reported_at, heard_seconds,
                       position_seconds, duration_seconds, completed, counted_at)
    values (uuid_v7(), ${userId}, ${tracks[0]}, false, now(), now(), 100, 100, 100, true, now())`.execute(
    app.services.db.query,
  )
}

const demoId = async (email: string) =>
  (
    await app.services.db.query
      .selectFrom('profiles')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id

const ofDemo = [
  'demo_activity',
  'demo_insight_days',
  'demo_track_days',
  'demo_money_days',
  'playlists',
  'playlist_tracks',
  'likes',
  'plays',
] as const
const ofReal = ['insight_days', 'track_days', 'money_days', 'payments'] as const

/** Reads all rows of these tables. */
async function readRows(tables: readonly string[]): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const table of tables) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t order by 1`.execute(
      app.services.db.query,
    )
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

const insights = async (figures?: 'demo') =>
  (await admin.call(getInsights, { query: { ...range, ...(figures && { figures }) } })).body
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

describe('demo accounts', () => {
  test('have plays, likes and playlists within the limits of their plan', async () => {
    await seed()
    const { rows } = await sql<Record<string, number>>`
      select f.email, (select count(*)::int from plays where user_id = f.id) as plays,
             (select count(*)::int from plays where user_id = f.id and is_preview) as previews,
             (select count(*)::int from likes where user_id = f.id) as likes,
             (select count(*)::int from playlists where created_by = f.id) as playlists,
             (select count(*)::int from playlist_tracks e join playlists p on p.id = e.playlist_id
               where p.created_by = f.id) as tracks
        from profiles f where is_demo order by email`.execute(app.services.db.query)
    expect(rows).toEqual([
      expect.objectContaining({ plays: 24, previews: 0, likes: 6, playlists: 1, tracks: 4 }),
      expect.objectContaining({ plays: 30, previews: 30, likes: 5, playlists: 1, tracks: 7 }),
      expect.objectContaining({ plays: 60, previews: 0, likes: 8, playlists: 3 }),
    ])
    const free = rows[1] ?? {}
    expect(free['playlists']).toBeLessThanOrEqual(freeLimits.playlists)
    expect(free['tracks']).toBeLessThanOrEqual(freeLimits.tracks_per_playlist)
  })

  test('get their data only once when the server starts again', async () => {
    await seed()
    const once = await readRows(ofDemo)
    await seed()
    await Promise.all([seed(), seed()])
    expect(await readRows(ofDemo)).toEqual(once)
  })

  test('get their data only once if two instances start concurrently', async () => {
    await Promise.all([seed(), seed()])
    const { rows } = await sql<{ playlists: number }>`
      select count(*)::int as playlists from demo_activity where kind = 'playlist'`.execute(
      app.services.db.query,
    )
    expect(rows).toEqual([{ playlists: 5 }])
  })

  test('lose all generated data when the demo is switched off; real data is kept', async () => {
    const id = await demoId('premium@velour.test')
    await sql`insert into likes (user_id, track_id) values (${member.id}, ${tracks[0]})
      on conflict do nothing`.execute(app.services.db.query)
    const before = await readRows([...ofDemo, ...ofReal])
    await seed()
    await sql`insert into playlists (title, created_by) values ('Made by hand', ${id})`.execute(
      app.services.db.query,
    )
    await removeDemoActivity(app.services.db)
    const left = await sql`delete from playlists where title = 'Made by hand' returning id`.execute(
      app.services.db.query,
    )
    expect(left.rows).toHaveLength(1)
    expect(await readRows([...ofDemo, ...ofReal])).toEqual(before)
  })
})

describe('the statistics of the demo', () => {
  test('cover several weeks, and the numbers of all tracks add up to each day’s total', async () => {
    await seed()
    const { days, has_data, currency } = await insights('demo')
    const past = days.slice(0, -1)
    expect([has_data, currency, past.length]).toEqual([true, 'usd', 29])
    for (const day of past) {
      expect(day.plays).toBeGreaterThan(50)
      expect(day.listeners).toBeLessThanOrEqual(day.listeners_7d)
      expect(day.completed).toBeLessThan(day.starts)
      expect(day.sign_ups).toBeGreaterThan(0)
    }
    // The cards show the current period and compare it with the previous period of equal length.
    expect(days.at(-1)?.listeners_7d).toBeGreaterThan(0)
    expect(days.at(-1)?.mrr_cents).toBeGreaterThan(0)
    expect((await insights('demo')).previous.every(({ plays }) => plays > 0)).toBe(true)
    expect(sum(past.map((day) => day.revenue_cents))).toBeGreaterThan(0)
    const query = { ...range, figures: 'demo' as const, page_size: 50 }
    const top = (await admin.call(listTopTracks, { query })).body.data
    expect(top).toHaveLength(16)
    expect(sum(top.map(({ plays }) => plays))).toBe(sum(days.map(({ plays }) => plays)))
    const one = await admin.call(getTrackInsights, {
      params: { id: top[0]?.track_id ?? '' },
      query: { ...range, figures: 'demo' },
    })
    expect(one.body.days).toHaveLength(30)
    expect(sum(one.body.days.map(({ plays }) => plays))).toBe(top[0]?.plays)
    expect(sum(one.body.left_at)).toBe(sum(one.body.days.map(({ starts }) => starts)))
  })

  test('do not change the statistics of real plays', async () => {
    const before = await insights()
    const topBefore = (await admin.call(listTopTracks, { query: range })).body
    await seed()
    await rollUp()
    const after = await insights()
    expect(after.days).toEqual(before.days)
    expect(sum(after.days.map(({ plays }) => plays))).toBe(1)
    expect(sum(after.days.map(({ listeners }) => listeners))).toBe(1)
    expect((await admin.call(listTopTracks, { query: range })).body).toEqual(topBefore)
  })

  test("are the only statistics that count a demo account's plays", async () => {
    await seed()
    const before = [await insights(), await insights('demo')]
    await play(await demoId('premium@velour.test'))
    await sql`update insight_state set took_ms = 0`.execute(app.services.db.query)
    await rollUp()
    const after = [await insights(), await insights('demo')]
    const plays = (all: typeof before) => all.map(({ days }) => days.at(-1)?.plays ?? 0)
    expect(plays(after)).toEqual([plays(before)[0], (plays(before)[1] ?? 0) + 1])
    await sql`delete from plays where user_id = ${await demoId('premium@velour.test')}`.execute(
      app.services.db.query,
    )
  })

  test('are redistributed over the tracks when a track is added or removed', async () => {
    await seed()
    const { query } = app.services.db
    const [gone] = tracks
    const step = await query
      .deleteFrom('demo_steps')
      .where('track_id', '=', gone ?? '')
      .returningAll()
      .executeTakeFirstOrThrow()
    const all = await insights('demo')
    await seed()
    const top = (
      await admin.call(listTopTracks, { query: { ...range, figures: 'demo', page_size: 50 } })
    ).body.data
    const made = await query
      .selectFrom('demo_track_days')
      .select((eb) => eb.fn.sum<number>('plays').as('plays'))
      .where('day', '>=', range.start)
      .executeTakeFirstOrThrow()
    const days = await query
      .selectFrom('demo_insight_days')
      .select((eb) => eb.fn.sum<number>('plays').as('plays'))
      .where('day', '>=', range.start)
      .executeTakeFirstOrThrow()
    expect(Number(made.plays)).toBe(Number(days.plays))
    expect((await insights('demo')).days).toEqual(all.days)
    expect(top.length).toBeGreaterThanOrEqual(15)
    await query.insertInto('demo_steps').values(step).execute()
  })

  test('are extended by the missing days when the demo starts later', async () => {
    await seed()
    const first = (await readRows(['demo_insight_days']))['demo_insight_days'] as string[]
    await seed(new Date(now.getTime() + 3 * 86_400_000))
    const later = (await readRows(['demo_insight_days']))['demo_insight_days'] as string[]
    expect(later).toHaveLength(first.length + 3)
    expect(later).toEqual(expect.arrayContaining(first))
  })

  test('no export contains demo data after the demo was switched off', async () => {
    await seed()
    const csv = async (what: string, figures: string) => {
      const path = `/api/admin-insights/export.csv?start=${range.start}&end=${today}&what=${what}&figures=${figures}`
      return String((await admin.send('GET', path)).body)
    }
    expect((await csv('tracks', 'demo')).trim().split('\n').length).toBeGreaterThan(10)
    expect((await csv('tracks', 'real')).trim().split('\n')).toHaveLength(2)
    expect((await csv('ledger', 'demo')).trim().split('\n')).toHaveLength(1)
    await removeDemoActivity(app.services.db)
    expect((await csv('tracks', 'demo')).trim().split('\n')).toHaveLength(1)
  })
})
