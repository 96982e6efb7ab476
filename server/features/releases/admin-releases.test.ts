// Release operations for admins: concurrent edits, publishing with tracks, deleting and restoring.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, deleteArtist } from '#contract/admin/admin-artists.ts'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import {
  createRelease,
  deleteRelease,
  getAdminRelease,
  listAdminReleases,
  publishRelease,
  restoreRelease,
  updateRelease,
} from '#contract/admin/admin-releases.ts'
import { changeAdminTracks, getAdminTrack, restoreTracks } from '#contract/admin/admin-tracks.ts'
import { getRelease } from '#contract/releases.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { purgeDeletions } from '../deletions/purge-deletions.ts'

let app: TestApp
let admin: Person
let other: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  other = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const db = () => app.services.db
const inOrder = (ids: readonly string[]) => ids.map((track_id) => ({ track_id }))
const make = async (title: string, ids: readonly string[]) =>
  (await admin.call(createRelease, { body: { title, tracks: inOrder(ids) } })).body
const read = async (id: string) => (await admin.call(getAdminRelease, { params: { id } })).body
const orderOf = async (id: string) => (await read(id)).tracks.map((track) => track.id)

test('an artist whose only credit is on a release cannot be deleted', async () => {
  const artist = (await admin.call(createArtist, { body: { name: 'Only On Cover' } })).body
  const body = { title: 'Cover', artists: [{ name: 'Only On Cover' }] }
  const release = (await admin.call(createRelease, { body })).body
  const response = await admin.call(deleteArtist, { params: { id: artist.id } })
  expect(response).toMatchObject({ status: 409, code: 'artist_in_use' })
  expect((await read(release.id)).artist).toBe('Only On Cover')
})

describe('creating a release', () => {
  test('derives the kind from the number of tracks and the slug from the title', async () => {
    const single = await make('Kinds', await makeTracks(db(), 1))
    const ep = await make('Kinds', await makeTracks(db(), 5))
    const album = await make('Kinds', await makeTracks(db(), 7))
    expect([single.kind, ep.kind, album.kind]).toEqual(['single', 'ep', 'album'])
    expect([single.slug, ep.slug, album.slug]).toEqual(['kinds', 'kinds-2', 'kinds-3'])
    expect(single.is_published).toBe(false)
  })

  test('gives twenty releases that are created concurrently with the same title twenty different slugs', async () => {
    const createdReleases = await Promise.all(
      Array.from({ length: 20 }, () => make('Same Title', [])),
    )
    expect(new Set(createdReleases.map(({ slug }) => slug)).size).toBe(20)
  })

  test.each([
    { title: '' },
    { title: 'a'.repeat(201) },
    { title: 'x', upc: '036000291453' },
    { title: 'x', kind: 'mixtape' },
    { title: 'x', slug: 'No Good' },
    { title: 'x', release_date: '2026-02-30' },
    { title: 'x', description: 'a'.repeat(5001) },
  ])('rejects %j with invalid_input', async (body) => {
    const response = await admin.send('POST', createRelease.path, { body })
    expect(response.code).toBe('invalid_input')
  })

  test('rejects unknown tracks, deleted tracks and duplicate tracks', async () => {
    const [track] = await makeTracks(db(), 1)
    const nowhere = '018f0000-0000-7000-8000-000000000000'
    const create = (ids: string[]) =>
      admin.call(createRelease, { body: { title: 'Wrong', tracks: inOrder(ids) } })
    expect((await create([nowhere])).code).toBe('track_not_found')
    expect((await create([track!, track!])).code).toBe('invalid_input')
    await admin.call(changeAdminTracks, { body: { action: 'delete', id: track! } })
    expect((await create([track!])).code).toBe('track_not_found')
  })
})

describe('saving the track order', () => {
  test('replaces the whole order, with discs', async () => {
    const ids = await makeTracks(db(), 4)
    const { id } = await make('Discs', ids)
    const tracks = [
      { track_id: ids[3]!, disc: 2 },
      { track_id: ids[1]!, disc: 1 },
      { track_id: ids[0]!, disc: 2 },
    ]
    await admin.call(updateRelease, { params: { id }, body: { tracks } })
    const saved = (await read(id)).tracks
    expect(saved.map((track) => [track.id, track.disc, track.position])).toEqual([
      [ids[1], 1, 1],
      [ids[3], 2, 1],
      [ids[0], 2, 2],
    ])
  })

  test('returns changed_meanwhile for an outdated version', async () => {
    const ids = await makeTracks(db(), 3)
    const { id, version } = await make('Two editors', ids)
    const save = (who: Person, order: string[]) =>
      who.call(updateRelease, { params: { id }, body: { tracks: inOrder(order), version } })
    expect((await save(other, [ids[2]!, ids[1]!, ids[0]!])).status).toBe(200)
    const refused = await save(admin, [ids[1]!, ids[0]!, ids[2]!])
    expect(refused.code).toBe('changed_meanwhile')
    expect(await orderOf(id)).toEqual(ids.toReversed())
  })

  test('accepts exactly one of several concurrent saves with the same version number', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = await makeTracks(db(), 5)
      const { id, version } = await make(`Race ${round}`, ids)
      const orders = Array.from({ length: 6 }, (_, i) =>
        [...ids.slice(i % 5), ...ids.slice(0, i % 5)].toReversed(),
      )
      const responses = await Promise.all(
        orders.map((order) =>
          admin.call(updateRelease, { params: { id }, body: { tracks: inOrder(order), version } }),
        ),
      )
      const winners = responses.flatMap(({ status }, i) => (status === 200 ? [orders[i]] : []))
      expect(winners).toHaveLength(1)
      expect(await orderOf(id)).toEqual(winners[0])
    }
  })

  test('stores one complete order when concurrent saves contain no version', async () => {
    const ids = await makeTracks(db(), 6)
    const { id } = await make('Blind saves', ids)
    const orders = Array.from({ length: 8 }, (_, i) => ids.slice(i % 3).toReversed())
    await Promise.all(
      orders.map((order) =>
        admin.call(updateRelease, { params: { id }, body: { tracks: inOrder(order) } }),
      ),
    )
    expect(orders).toContainEqual(await orderOf(id))
    const { rows } = await sql<{ position: number }>`
      select position from release_tracks where release_id = ${id} order by position`.execute(
      db().query,
    )
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, i) => i + 1))
  })

  test('keeps a deleted track in the list until it can no longer be restored', async () => {
    const [one, two] = await makeTracks(db(), 2)
    const { id } = await make('Undone', [one!, two!])
    await admin.call(changeAdminTracks, { body: { action: 'delete', id: one! } })
    expect(await orderOf(id)).toEqual([two])
    await admin.call(updateRelease, { params: { id }, body: { tracks: inOrder([two!]) } })
    await admin.call(restoreTracks, { body: { ids: [one!] } })
    expect(await orderOf(id)).toEqual([two, one])
  })
})

test("publishing can include the release's tracks, and requires a track that members can see", async () => {
  const [ready, pending, failed] = await makeTracks(db(), 3, { published: false })
  await sql`update tracks set processing_status = case id when ${pending} then 'pending' else 'failed' end
             where id in (${pending}, ${failed})`.execute(db().query)
  const { id } = await make('Draft tracks', [ready!, pending!, failed!])
  const publish = (publish_tracks: boolean) =>
    admin.call(publishRelease, { params: { id }, body: { publish_tracks } })
  expect((await publish(false)).code).toBe('release_empty')
  expect((await publish(true)).body).toMatchObject({ is_published: true, published_count: 1 })
  const track = async (trackId: string) =>
    (await admin.call(getAdminTrack, { params: { id: trackId } })).body
  expect((await track(ready!)).is_published).toBe(true)
  expect((await track(pending!)).publish_when_ready).toBe(true)
  expect(await track(failed!)).toMatchObject({ is_published: false, publish_when_ready: false })
  expect((await track(ready!)).releases).toMatchObject([{ id, is_published: true }])
})

describe('deleting a release', () => {
  test('hides it; undoing restores the order, likes and publication', async () => {
    const ids = await makeTracks(db(), 2)
    const { id } = await make('Deleted', ids)
    await admin.call(publishRelease, { params: { id }, body: {} })
    const before = await read(id)
    await admin.call(deleteRelease, { params: { id } })
    expect((await admin.call(getAdminRelease, { params: { id } })).code).toBe('release_not_found')
    expect((await admin.call(getRelease, { params: { id } })).code).toBe('release_not_found')
    expect((await admin.call(deleteRelease, { params: { id } })).code).toBe('release_not_found')
    const { body } = await admin.call(restoreRelease, { params: { id } })
    expect(body).toEqual({ ...before, updated_at: body.updated_at })
    expect((await admin.call(getRelease, { params: { id } })).status).toBe(200)
  })

  test('can no longer be undone after the undo period, and keeps the tracks', async () => {
    const [track] = await makeTracks(db(), 1)
    const { id } = await make('Gone', [track!])
    await admin.call(deleteRelease, { params: { id } })
    await sql`update deletions set undo_until = now() where entity_id = ${id}`.execute(db().query)
    await purgeDeletions(db())
    expect((await admin.call(restoreRelease, { params: { id } })).code).toBe('undo_expired')
    const left = await db().query.selectFrom('releases').select('id').where('id', '=', id).execute()
    expect(left).toEqual([])
    const { body } = await admin.call(getAdminTrack, { params: { id: track! } })
    expect(body.releases).toEqual([])
  })
})

test('rejects a slug that is a current or former slug of another release', async () => {
  const one = await make('First Address', [])
  const two = await make('Second Address', [])
  const take = (slug: string) =>
    admin.call(updateRelease, { params: { id: two.id }, body: { slug } })
  expect((await take(one.slug)).code).toBe('release_slug_taken')
  await admin.call(updateRelease, { params: { id: one.id }, body: { slug: 'moved-away' } })
  expect((await take('first-address')).code).toBe('release_slug_taken')
})

test('searches, filters and sorts the release list', async () => {
  const { id } = await make('Zebra Listing', await makeTracks(db(), 1))
  await make('Aardvark Listing', [])
  const list = async (query: Record<string, string>) =>
    (await admin.call(listAdminReleases, { query: { q: 'listing', ...query } })).body
  const sorted = await list({ sort: 'title', direction: 'asc' })
  expect(sorted.data.map(({ title }) => title)).toEqual(['Aardvark Listing', 'Zebra Listing'])
  expect(sorted.pagination.total).toBe(2)
  expect((await list({ published: 'true' })).data).toEqual([])
  await admin.call(publishRelease, { params: { id }, body: {} })
  expect((await list({ published: 'true' })).data).toMatchObject([
    { id, track_count: 1, published_count: 1 },
  ])
})

test('audit entries contain the names of releases', async () => {
  const { id } = await make('Audited', [])
  const query = { entity: 'release', entity_name: 'Audited' } as const
  const { data } = (await admin.call(listAuditLog, { query })).body
  expect(data).toMatchObject([
    { action: 'create', entity_id: id, entity_name: 'Audited', entity_key: id },
  ])
})
