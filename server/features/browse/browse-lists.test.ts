// Track lists that are cached as response bytes: always up to date with the database, and with each member's own likes.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCategory } from '#contract/admin/admin-categories.ts'
import { listCategories } from '#contract/categories.ts'
import { likeTrack, listTracks, unlikeTrack } from '#contract/tracks.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let one: Person
let two: Person
let ids: string[]

beforeAll(async () => {
  app = await createTestApp()
  one = await app.makePerson()
  two = await app.makePerson({ tier: 'premium' })
  const { rows } = await sql<{ id: string }>`
    insert into tracks (title, artist, is_published, processing_status, duration, created_at)
    select 'A "is_liked":false title ' || i, 'Artist', true, 'ready', 100, now() - make_interval(mins => 60 - i)
      from generate_series(1, 60) i returning id`.execute(app.services.db.query)
  ids = rows.map(({ id }) => id).toReversed()
})

afterAll(() => app.close())

const list = async (person: Person, query: Record<string, string> = {}) =>
  (await person.call(listTracks, { query })).body
const likedBy = async (person: Person) =>
  (await list(person)).data.filter(({ is_liked }) => is_liked).map(({ id }) => id)

test('members see their own likes immediately', async () => {
  await list(one)
  for (const id of [ids[0]!, ids[7]!, ids[49]!, ids[55]!]) {
    await one.call(likeTrack, { params: { id } })
  }
  expect(await likedBy(one)).toEqual([ids[0], ids[7], ids[49]])
  expect(await likedBy(two)).toEqual([])
  await one.call(unlikeTrack, { params: { id: ids[7]! } })
  expect(await likedBy(one)).toEqual([ids[0], ids[49]])
  // The cached list must equal a list that is read from the database.
  const newestFirst = await list(one, { q: 'is_liked', order: 'newest' })
  expect(await list(one)).toEqual(newestFirst)
})

test('a like saved by another instance is in the next response', async () => {
  await likedBy(two)
  await app.services.db.query
    .insertInto('likes')
    .values({ user_id: two.id, track_id: ids[3]! })
    .execute()
  await expect.poll(() => likedBy(two)).toEqual([ids[3]])
  await app.services.db.query.deleteFrom('likes').where('user_id', '=', two.id).execute()
  await expect.poll(() => likedBy(two)).toEqual([])
})

test.each([
  [`update tracks set title = 'Another' where id = $`, 'Another'],
  [`update tracks set is_published = false where id = $`, 'A "is_liked":false title 59'],
  [`update tracks set is_published = true, title = 'Back' where id = $`, 'Back'],
  [`update tracks set lyrics = 'La la', title = 'Sung' where id = $`, 'Sung'],
  [`delete from tracks where id = $`, 'A "is_liked":false title 59'],
])('the next request returns changed data: %s', async (statement, title) => {
  await list(one)
  await sql.raw(statement.replace('$', `'${ids[0]}'`)).execute(app.services.db.query)
  await expect.poll(async () => (await list(one)).data[0]?.title).toBe(title)
})

test('the next request returns changed categories and track counts', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  const categories = async () => (await one.call(listCategories, {})).body.data
  expect(await categories()).toEqual([])
  await admin.call(createCategory, { body: { category: 'calm', display_name: 'Calm' } })
  await expect.poll(async () => (await categories())[0]?.track_count).toBe(0)
  const { db } = app.services
  await db.query.updateTable('tracks').set({ category: 'calm' }).where('id', '=', ids[5]!).execute()
  await expect.poll(async () => (await categories())[0]?.track_count).toBe(1)
  await expect.poll(async () => (await list(one, { category: 'calm' })).data).toHaveLength(1)
})

test('does not cache a failed query', async () => {
  await app.asOwner('alter table likes rename to likes_away')
  expect((await one.send('GET', '/api/tracks?limit=3')).status).toBe(500)
  await app.asOwner('alter table likes_away rename to likes')
  expect((await one.send('GET', '/api/tracks?limit=3')).status).toBe(200)
})
