import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRelease, deleteRelease, publishRelease } from '#contract/admin/admin-releases.ts'
import { changeAdminPlaylists } from '#contract/admin/admin-playlists.ts'
import { updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { getTrackInsights, listEarlyAccess } from '#contract/admin/insights.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { makeTracks } from '../../testing/feature-app.ts'

const dayMs = 86_400_000
let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const db = () => app.services.db
const now = Date.now()
const ago = (days: number) => new Date(now - days * dayMs).toISOString()
const dayOf = (time: string) => time.slice(0, 10)

async function play(
  user_id: string,
  track_id: string,
  at: string,
  more: { preview?: boolean; counted?: boolean } = {},
) {
  const { preview = false, counted = true } = more
  await db()
    .query.insertInto('plays')
    .values({
      id: crypto.randomUUID(),
      user_id,
      track_id,
      is_preview: preview,
      started_at: at,
      reported_at: at,
      heard_seconds: 60,
      position_seconds: 60,
      duration_seconds: 100,
      completed: false,
      counted_at: counted ? at : null,
    })
    .execute()
}

async function pay(user_id: string, paid_at: string) {
  const payment = {
    kind: 'payment',
    amount_cents: 990,
    currency: 'usd',
    payment_method: 'cash',
  } as const
  await db()
    .query.insertInto('payments')
    .values({ user_id, ...payment, paid_at })
    .execute()
}

/** Moves an early-access period that has just begun into the past. */
async function setEarly(table: 'releases' | 'tracks', ids: readonly string[], until: string) {
  await db()
    .query.updateTable(table)
    .set({ early_access_until: until })
    .where('id', 'in', ids)
    .execute()
}

const list = async (start: string, end: string) =>
  (await admin.call(listEarlyAccess, { query: { start: dayOf(start), end: dayOf(end) } })).body

test("counts plays and new Premium members during a release's early access, and does not list its tracks separately", async () => {
  const ids = await makeTracks(db(), 2, { prefix: 'Early' })
  const [one = '', two = ''] = ids
  const [other = ''] = await makeTracks(db(), 1)
  const body = {
    title: 'Early Album',
    tracks: ids.map((track_id) => ({ track_id })),
    early_access_days: 7,
  }
  const { id } = (await admin.call(createRelease, { body })).body
  await admin.call(publishRelease, { params: { id }, body: {} })
  // The early access was from 17 to 10 days ago.
  await setEarly('releases', [id], ago(10))
  await setEarly('tracks', ids, ago(10))
  const people = await Promise.all(Array.from({ length: 5 }, () => app.makePerson()))
  const [ann = '', ben = '', cem = '', dot = '', eve = ''] = people.map((person) => person.id)
  await play(ann, one, ago(16))
  await play(ann, two, ago(15))
  await play(ben, two, ago(10.01))
  await play(ben, one, ago(12), { counted: false })
  await play(ben, one, ago(9.9))
  await play(ben, one, ago(17.1))
  await play(ben, other, ago(15))
  for (const person of [cem, dot]) await play(person, one, ago(14), { preview: true })
  // Cem pays after playing the preview. Dot had paid before, Ann played no preview, and Eve pays after the early
  // access.
  await pay(cem, ago(13))
  await pay(dot, ago(40))
  await pay(dot, ago(12))
  await pay(ann, ago(11))
  await pay(eve, ago(5))
  const { data, pagination } = await list(ago(20), ago(0))
  expect(data).toEqual([
    {
      kind: 'release',
      id,
      title: 'Early Album',
      artist: expect.any(String),
      early_from: ago(17),
      early_until: ago(10),
      plays: 3,
      previews: 2,
      listeners: 2,
      new_members: 2,
      conversions: 1,
    },
  ])
  expect(pagination.total).toBe(1)
  expect((await list(ago(9), ago(0))).data).toEqual([])
  expect((await list(ago(30), ago(18))).data).toEqual([])
  // The track's page shows the same count.
  const query = { start: dayOf(ago(20)), end: dayOf(ago(0)) }
  const sheet = await admin.call(getTrackInsights, { params: { id: one }, query })
  expect(sheet.body.early_access_plays).toBe(1)
  await admin.call(deleteRelease, { params: { id } })
  expect((await list(ago(20), ago(0))).data.map((row) => row.kind)).toEqual(['track', 'track'])
})

test('lists tracks with their own early access, including those in early access now, in pages', async () => {
  const [track = ''] = await makeTracks(db(), 1, { prefix: 'Alone' })
  await admin.call(updateAdminTrack, { params: { id: track }, body: { early_access_days: 3 } })
  const { data } = await list(ago(0), ago(0))
  expect(data).toMatchObject([
    { kind: 'track', id: track, title: 'Alone 1', plays: 0, new_members: 0 },
  ])
  const page = async (number: number) =>
    (
      await admin.call(listEarlyAccess, {
        query: { start: dayOf(ago(20)), end: dayOf(ago(0)), page: number, page_size: 2 },
      })
    ).body
  const [first, second] = [await page(1), await page(2)]
  expect(first.pagination).toMatchObject({ total: 3, total_pages: 2 })
  expect(new Set([...first.data, ...second.data].map((row) => row.id)).size).toBe(3)
})

test('lists the early access of curated playlists, with the plays of their tracks', async () => {
  const ids = await makeTracks(db(), 2, { prefix: 'Listed' })
  const made = await admin.call(changeAdminPlaylists, {
    body: { action: 'create', title: 'First here' },
  })
  const { id } = made.body.playlist!
  await admin.call(changeAdminPlaylists, {
    body: { action: 'update', id, track_ids: ids, early_access_days: 5, is_visible: true },
  })
  const ann = await app.makePerson()
  await play(ann.id, ids[1]!, new Date(Date.now() + 100).toISOString())
  const { data } = await list(ago(0), ago(0))
  const shown = data.find((row) => row.id === id)
  expect(shown).toMatchObject({ kind: 'playlist', title: 'First here', artist: '', plays: 1 })
  await db()
    .query.updateTable('playlists')
    .set({ early_access_until: ago(50) })
    .execute()
  expect((await list(ago(0), ago(0))).data.some((row) => row.id === id)).toBe(false)
})

test('rejects a range that ends before it starts', async () => {
  const answer = await admin.call(listEarlyAccess, {
    query: { start: dayOf(ago(0)), end: dayOf(ago(2)) },
  })
  expect(answer.code).toBe('invalid_period')
})
