import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlaylist } from '#contract/playlists.ts'
import { downloadMyData } from '#contract/profiles.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

interface OwnData {
  profile: Record<string, unknown>
  subscription: unknown
  payments: Record<string, unknown>[]
  sessions: Record<string, unknown>[]
  known_devices: Record<string, unknown>[]
  playlists: { title: string; tracks: { order_index: number; title: string }[] }[]
  likes: { id: string }[]
  plays: { id: string }[]
}

const download = async (who: Person) => {
  const answer = await who.call(downloadMyData, {})
  return { ...answer, data: answer.body as unknown as OwnData }
}

test('exports the profile, the session and empty lists for a new member', async () => {
  const mia = await site.makePerson()
  const { status, headers, data } = await download(mia)
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="velour-data-\d{13}\.json"$/,
  )
  expect(headers.get('cache-control')).toBe('no-store')
  expect(data.profile).toMatchObject({ id: mia.id, email: mia.email, role: 'member' })
  expect(data).toMatchObject({
    subscription: null,
    payments: [],
    playlists: [],
    shared_playlists: [],
    likes: [],
    liked_releases: [],
    plays: [],
  })
  expect(data.sessions).toHaveLength(1)
  expect(data.known_devices).toMatchObject([{ name: 'Unknown device' }])
})

test('exports all data of a member, even long lists, and no data of another member', async () => {
  const { db } = site.services
  const [mia, ben] = [await site.makePerson({ tier: 'yearly' }), await site.makePerson()]
  const tracks = await makeTracks(db, 2500)
  await mia.call(createPlaylist, { body: { title: 'Long' } })
  await mia.call(createPlaylist, { body: { title: 'Empty "quoted" \\' } })
  await sql`
    insert into playlist_tracks (playlist_id, track_id, order_index)
    select p.id, t.id, t.place - 1 from playlists p,
           unnest(${tracks}::uuid[]) with ordinality as t (id, place)
     where p.title = 'Long'`.execute(db.query)
  // All rows get the same timestamp, so that they are ordered by id only.
  for (const person of [mia, ben]) {
    await sql`insert into likes (user_id, track_id)
      select ${person.id}, id from unnest(${tracks}::uuid[]) id`.execute(db.query)
  }
  await sql`
    insert into plays (id, user_id, track_id, is_preview, started_at, reported_at, duration_seconds)
    select gen_random_uuid(), case when n % 2 = 0 then ${mia.id}::uuid else ${ben.id}::uuid end, ${tracks[0]},
           false, now(), now() + make_interval(secs => (n / 1000)::float8 / 1e6), 60
      from generate_series(1, 5000) n`.execute(db.query)
  await db.query
    .insertInto('payments')
    .values({
      user_id: mia.id,
      amount_cents: 9999,
      currency: 'usd',
      payment_method: 'cash',
      paid_at: new Date().toISOString(),
    })
    .execute()

  const { data, body } = await download(mia)
  expect(data.playlists.map(({ title }) => title)).toEqual(['Long', 'Empty "quoted" \\'])
  expect(data.playlists[0]?.tracks.map(({ order_index }) => order_index)).toEqual(
    tracks.map((_, index) => index),
  )
  expect(data.likes.map(({ id }) => id).toSorted()).toEqual(tracks.toSorted())
  expect(new Set(data.plays.map(({ id }) => id)).size).toBe(2500)
  expect(data.plays).toHaveLength(2500)
  expect(data.payments).toMatchObject([{ amount_cents: 9999, currency: 'usd' }])
  const text = JSON.stringify(body)
  expect(text).not.toContain(ben.id)
  const secrets = await sql<{ secret: string }>`
    select password as secret from accounts where user_id = ${mia.id}
    union all select token from sessions where user_id = ${mia.id}`.execute(db.query)
  expect(secrets.rows).toHaveLength(2)
  for (const { secret } of secrets.rows) expect(text).not.toContain(secret)
})

test('limits the export to ten requests an hour', async () => {
  const mia = await site.makePerson()
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) statuses.push((await download(mia)).status)
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
})
