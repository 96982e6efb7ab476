// Track operations for members, over HTTP with a real PostgreSQL.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  getTrack,
  likeTrack,
  likeTracks,
  listTracks,
  trackOrders,
  unlikeTrack,
} from '#contract/tracks.ts'
import {
  createFeatureApp,
  makeTracks,
  type FeatureApp,
  type Person,
} from '../../testing/feature-app.ts'
import { createBrowseLists } from '../browse/browse-lists.ts'
import { trackRoutes } from '../browse/track-routes.ts'

let app: FeatureApp
let member: Person
let ids: string[]

beforeAll(async () => {
  app = await createFeatureApp((route, { db, bus }) =>
    trackRoutes(route, { browse: createBrowseLists(db, bus) }),
  )
  member = await app.makePerson()
  ids = await makeTracks(app.db, 120)
  await makeTracks(app.db, 3, { published: false, prefix: 'Secret' })
})

afterAll(() => app.close())

async function list(query: Record<string, string> = {}) {
  return (await member.call(listTracks, { query })).body
}

test('lists fifty tracks per page, newest first, without duplicates; only the first page has a total', async () => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(cursor ? { cursor } : {})
    expect(page.total).toBe(cursor ? null : 120)
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor)
  expect(seen).toEqual(ids.toReversed())
})

test('pages sorted by title continue where the previous page ended', async () => {
  const first = await list({ order: 'title', limit: '100' })
  const second = await list({ order: 'title', limit: '100', cursor: first.next_cursor! })
  const titles = [...first.data, ...second.data].map(({ title }) => title.toLowerCase())
  expect(new Set(titles).size).toBe(120)
  const { rows } = await sql<{ title: string }>`
    select lower(title) as title from tracks where is_published order by lower(title), id`.execute(
    app.db.query,
  )
  expect(titles).toEqual(rows.map(({ title }) => title))
})

test('every sort order returns each track once in both directions, across pages and with likes', async () => {
  const keys = {
    newest: 'created_at',
    title: 'lower(title)',
    artist: 'lower(artist)',
    duration: 'duration',
  }
  const fan = await app.makePerson()
  const liked = ids.filter((_, i) => i % 3 === 0)
  await fan.call(likeTracks, { body: { track_ids: liked, is_liked: true } })
  await sql`update tracks set duration = length(title) where is_published`.execute(app.db.query)
  for (const order of trackOrders) {
    for (const direction of ['asc', 'desc'] as const) {
      const { rows } = await sql<{ id: string }>`
        select id from tracks where is_published
         order by ${sql.raw(keys[order])} ${sql.raw(direction)}, id ${sql.raw(direction)}`.execute(
        app.db.query,
      )
      const sorted = rows.map(({ id }) => id)
      const query = { order, direction, limit: '33' }
      expect((await readAll(fan, query)).ids, `${order} ${direction}`).toEqual(sorted)
      expect((await readAll(fan, { ...query, liked: 'true' })).ids).toEqual(
        sorted.filter((id) => liked.includes(id)),
      )
    }
  }
})

test('likes all tracks of one request, or none if one track is unknown', async () => {
  const fan = await app.makePerson()
  const like = async (track_ids: string[], is_liked = true) =>
    (await fan.call(likeTracks, { body: { track_ids, is_liked } })).code ?? 'done'
  const count = async () => (await fan.call(listTracks, { query: { liked: 'true' } })).body.total
  const [draft] = await makeTracks(app.db, 1, { published: false })
  expect(await like([...ids.slice(0, 10), draft!])).toBe('track_not_found')
  expect(await count()).toBe(0)
  expect(await like([...ids.slice(0, 10), ids[0]!.toUpperCase()])).toBe('done')
  expect(await like(ids.slice(5, 15))).toBe('done')
  expect(await count()).toBe(15)
  expect(await like([...ids.slice(0, 12), draft!], false)).toBe('done')
  expect(await count()).toBe(3)
  expect(await like([])).toBe('invalid_input')
  expect(await like(Array.from({ length: 1001 }, () => ids[0]!))).toBe('invalid_input')
})

test('search matches substrings of title and artist in any case, and treats % and _ literally', async () => {
  expect((await list({ q: 'tRaCk 11' })).total).toBe(11)
  expect((await list({ q: 'ARTIST 3' })).total).toBeGreaterThan(10)
  for (const q of ['100%', '%', '_', '\\', "'; drop table tracks; --"]) {
    expect((await list({ q })).data, q).toEqual([])
  }
  expect((await list({ q: '   ' })).total).toBe(120)
})

test('hides unpublished tracks', async () => {
  expect((await list({ q: 'secret' })).total).toBe(0)
  const [hidden] = await makeTracks(app.db, 1, { published: false })
  expect((await member.call(getTrack, { params: { id: hidden! } })).code).toBe('track_not_found')
  expect((await member.call(likeTrack, { params: { id: hidden! } })).code).toBe('track_not_found')
})

test("an admin can open a draft by its id, but members' lists never contain it", async () => {
  const [draft] = await makeTracks(app.db, 1, { published: false, prefix: 'Unheard' })
  const admin = await app.makePerson({ admin: true })
  const opened = await admin.call(getTrack, { params: { id: draft! } })
  expect(opened.body).toMatchObject({ id: draft, is_published: false })
  expect((await admin.call(listTracks, { query: { q: 'unheard' } })).body.data).toEqual([])
  expect((await admin.call(likeTrack, { params: { id: draft! } })).code).toBe('track_not_found')
  const published = await member.call(getTrack, { params: { id: ids[0]! } })
  expect(published.body.is_published).toBe(true)
})

test('saves a like once, for this member only, and removes it', async () => {
  const other = await app.makePerson()
  const id = ids[5]!
  for (let i = 0; i < 2; i++) {
    expect((await member.call(likeTrack, { params: { id } })).status).toBe(204)
  }
  expect((await list({ liked: 'true' })).data.map((track) => track.id)).toEqual([id])
  expect((await other.call(listTracks, { query: { liked: 'true' } })).body.data).toEqual([])
  expect((await member.call(getTrack, { params: { id } })).body.is_liked).toBe(true)
  await member.call(unlikeTrack, { params: { id } })
  expect((await list({ liked: 'true' })).total).toBe(0)
})

test('paginates liked tracks in the order of the catalogue, without hidden tracks', async () => {
  const fan = await app.makePerson()
  const chosen = ids.filter((_, i) => i % 2 === 0)
  for (const id of chosen.toSorted()) await fan.call(likeTrack, { params: { id } })
  const hiddenIds = [chosen[0]!, chosen[30]!, chosen.at(-1)!]
  const publish = (isPublished: boolean) =>
    app.db.query
      .updateTable('tracks')
      .set({ is_published: isPublished })
      .where('id', 'in', hiddenIds)
  await publish(false).execute()
  const seen = chosen.filter((id) => !hiddenIds.includes(id))
  const newestFirst = await readAll(fan, { liked: 'true', limit: '20' })
  const byTitle = await readAll(fan, { liked: 'true', limit: '20', order: 'title' })
  await publish(true).execute()
  expect(newestFirst).toEqual({ ids: seen.toReversed(), total: seen.length })
  expect(byTitle.ids.toSorted()).toEqual(seen.toSorted())
  // Liked tracks have even indexes and therefore odd numbers in their titles: Track 11, 111, 113, …
  const searched = await fan.call(listTracks, { query: { liked: 'true', q: 'track 11' } })
  expect(searched.body.total).toBe(6)
})

async function readAll(person: Person, query: Record<string, string>) {
  const found: string[] = []
  let total: number | null = null
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list>> = (
      await person.call(listTracks, { query: cursor ? { ...query, cursor } : query })
    ).body
    total ??= page.total
    found.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor)
  return { ids: found, total }
}

test('a like stores the creation time of its track, and rejects changes of that time', async () => {
  const person = await app.makePerson()
  await person.call(likeTrack, { params: { id: ids[0]! } })
  const { rows } = await sql<{ isSame: boolean }>`
    select l.track_created_at is not distinct from t.created_at as "isSame"
      from likes l join tracks t on t.id = l.track_id where l.user_id = ${person.id}`.execute(
    app.db.query,
  )
  expect(rows).toEqual([{ isSame: true }])
  const change = app.db.query
    .updateTable('tracks')
    .set({ created_at: '2020-01-01T00:00:00Z' })
    .where('id', '=', ids[0]!)
    .execute()
  await expect(change).rejects.toMatchObject({ constraint: 'tracks_made_once' })
})

test('no URL in a response contains a storage path', async () => {
  const track = (await member.call(getTrack, { params: { id: ids[0]! } })).body
  expect(track.audio_url).toBe(`/api/tracks/${ids[0]}/stream`)
  expect(track.preview_url).toBeNull()
  expect(JSON.stringify(track)).not.toMatch(/storage|source_key|\.m4a/)
})

test('rejects invalid input, and requests without a session', async () => {
  for (const query of [
    'limit=0',
    'limit=x',
    'order=random',
    'cursor=abc',
    `q=${'x'.repeat(201)}`,
  ]) {
    expect((await member.send('GET', `/api/tracks?${query}`)).code, query).toBe('invalid_input')
  }
  // A cursor in the right format that the server never issued.
  const forged = Buffer.from('["x","y"]').toString('base64url')
  expect((await member.send('GET', `/api/tracks?cursor=${forged}`)).code).toBe('invalid_input')
  expect((await member.send('GET', '/api/tracks/not-an-id')).code).toBe('not_found')
  expect((await app.signedOut.send('GET', '/api/tracks')).code).toBe('unauthenticated')
})
