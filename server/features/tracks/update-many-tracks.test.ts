// Bulk edits of tracks, over HTTP with a real PostgreSQL.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGenre } from '#contract/admin/admin-genres.ts'
import { listAdminTracks, updateAdminTracks } from '#contract/admin/admin-tracks.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let server: TestApp
let admin: Person
let ids: string[]

beforeAll(async () => {
  server = await createTestApp()
  admin = await server.makePerson({ role: 'admin' })
  await admin.call(createGenre, { body: { name: 'Soul' } })
})
afterAll(() => server.close())
beforeEach(async () => {
  ids = await makeTracks(server.services.db, 3, { published: false })
})

type Change = Record<string, unknown>
const save = (changes: readonly Change[], who = admin) =>
  who.send('PATCH', updateAdminTracks.path, { body: { changes } })
const rows = () =>
  server.services.db.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('title')
    .execute()
const audit = (id: string) =>
  server.services.db.query
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'before', 'after'])
    .where('entity_id', '=', id)
    .execute()

test("applies each track's values and writes one audit entry per track", async () => {
  const [first, second, third] = ids
  const response = await save([
    { id: first, title: 'New', genre: 'Soul', tags: ['calm', 'night'], explicit: true },
    { id: second, artist: 'Ada', ai_disclosure: 'human', is_published: true },
  ])
  expect([response.status, response.body]).toEqual([200, { data: [first, second] }])
  const [a, b, c] = ids.map((id) => rows().then((all) => all.find((row) => row.id === id)!))
  expect(await a).toMatchObject({
    title: 'New',
    genre: 'Soul',
    tags: ['calm', 'night'],
    explicit: true,
    is_published: false,
  })
  expect(await b).toMatchObject({ artist: 'Ada', ai_disclosure: 'human', is_published: true })
  expect((await c)?.title).toBe('Track 3')
  expect(await audit(first!)).toEqual([
    {
      actor_id: admin.id,
      action: 'update',
      before: expect.objectContaining({ title: 'Track 1', tags: [], explicit: false }),
      after: expect.objectContaining({ title: 'New', tags: ['calm', 'night'], explicit: true }),
    },
  ])
  expect(await audit(second!)).toHaveLength(1)
  expect(await audit(third!)).toEqual([])
})

test('publishes tracks that are still being processed once they are ready', async () => {
  await server.services.db.query
    .updateTable('tracks')
    .set({ processing_status: 'processing' })
    .where('id', '=', ids[0]!)
    .execute()
  await save([{ id: ids[0], is_published: true }])
  expect((await rows()).find(({ id }) => id === ids[0])).toMatchObject({
    is_published: false,
    publish_when_ready: true,
  })
})

const unknown = '0191a0c0-0000-7000-8000-00000000dead'

test.each<[string, () => Change[], number, string]>([
  ['an unknown track', () => [{ id: unknown, title: 'x' }], 404, 'track_not_found'],
  ['an unknown category', () => [{ id: ids[1], category: 'nowhere' }], 404, 'category_not_found'],
  ['an unknown genre', () => [{ id: ids[1], genre: 'Nothing' }], 404, 'genre_not_found'],
  ['an empty title', () => [{ id: ids[1], title: '  ' }], 400, 'invalid_input'],
  ['the same track twice', () => [{ id: ids[0], title: 'y' }], 400, 'invalid_input'],
  [
    'too many tags',
    () => [{ id: ids[1], tags: Array.from({ length: 31 }, String) }],
    400,
    'invalid_input',
  ],
  ['a NUL character', () => [{ id: ids[1], title: 'a\0b' }], 400, 'invalid_input'],
])('returns an error and changes nothing for %s', async (_what, more, status, code) => {
  const response = await save([{ id: ids[0], title: 'Changed' }, ...more()])
  expect([response.status, response.code]).toEqual([status, code])
  expect((await rows()).map(({ title }) => title)).toEqual(['Track 1', 'Track 2', 'Track 3'])
  expect(await audit(ids[0]!)).toEqual([])
})

test('publishes no track if the recording of one has failed', async () => {
  await server.services.db.query
    .updateTable('tracks')
    .set({ processing_status: 'failed' })
    .where('id', '=', ids[2]!)
    .execute()
  const response = await save(ids.map((id) => ({ id, is_published: true })))
  expect([response.status, response.code]).toEqual([409, 'track_not_ready'])
  expect((await rows()).map(({ is_published }) => is_published)).toEqual([false, false, false])
})

test('accepts at most 500 tracks', async () => {
  const many = await makeTracks(server.services.db, 501, { prefix: 'Many' })
  const changes = many.map((id, index) => ({ id, title: `Renamed ${index}` }))
  expect((await save(changes)).code).toBe('invalid_input')
  expect((await save([])).code).toBe('invalid_input')
  expect((await save(changes.slice(0, 500))).status).toBe(200)
  const { body } = await admin.call(listAdminTracks, { query: { q: 'renamed' } })
  expect(body.pagination.total).toBe(500)
})

test('concurrent bulk edits of the same tracks in opposite order do not deadlock', async () => {
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, turn) => {
      const changes = ids.map((id) => ({ id, artist: `Artist of turn ${turn}` }))
      return save(turn % 2 ? changes : changes.toReversed())
    }),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  const artists = (await rows()).map(({ artist }) => artist)
  expect(new Set(artists).size).toBe(1)
})
