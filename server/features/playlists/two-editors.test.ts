// Two people change the tracks of one playlist concurrently.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeAdminPlaylists } from '#contract/admin/admin-playlists.ts'
import { createPlaylist, listPlaylistTracks, updatePlaylist } from '#contract/playlists.ts'
import type { TrackChange } from '#contract/fields/track-changes.ts'
import {
  createFeatureApp,
  makeTracks,
  type FeatureApp,
  type Person,
} from '../../testing/feature-app.ts'
import { adminPlaylistRoutes } from './admin-playlist-routes.ts'
import { playlistRoutes } from './playlist-routes.ts'

let app: FeatureApp
let ada: Person
let ben: Person

beforeAll(async () => {
  app = await createFeatureApp((route, { pictures }) => {
    playlistRoutes(route, pictures)
    adminPlaylistRoutes(route, { pictures })
  })
  ada = await app.makePerson({ admin: true })
  ben = await app.makePerson({ admin: true })
})
afterAll(() => app.close())

const add = (track_id: string): TrackChange => ({ action: 'add', track_id })
const remove = (track_id: string): TrackChange => ({ action: 'remove', track_id })
const toFront = (track_id: string): TrackChange => ({ action: 'move', track_id, after: null })

async function makeCurated(track_ids: string[] = []): Promise<string> {
  const made = await ada.call(changeAdminPlaylists, { body: { action: 'create', title: 'Ours' } })
  const { id } = made.body.playlist!
  await ada.call(changeAdminPlaylists, { body: { action: 'update', id, track_ids } })
  return id
}
const change = (who: Person, id: string, track_changes: TrackChange[]) =>
  who.call(changeAdminPlaylists, { body: { action: 'update', id, track_changes } })
async function stored(id: string) {
  const rows = await app.db.query
    .selectFrom('playlist_tracks')
    .select(['track_id', 'order_index'])
    .where('playlist_id', '=', id)
    .orderBy('order_index')
    .execute()
  expect(rows.map(({ order_index }) => order_index)).toEqual(rows.map((_, i) => i))
  return rows.map(({ track_id }) => track_id)
}

test('keeps both tracks when two admins open a list and each add one', async () => {
  const [a, b] = await makeTracks(app.db, 2)
  const id = await makeCurated()
  expect((await change(ada, id, [add(a!)])).status).toBe(200)
  const { body } = await change(ben, id, [add(b!)])
  expect(body.playlist?.playlist_tracks.map(({ track }) => track.id)).toEqual([a, b])
})

test('applies all concurrent adds, moves and removals without gaps in the positions, 100 times', async () => {
  const tracks = await makeTracks(app.db, 6)
  const [a, b, c, d, e, f] = tracks as [string, string, string, string, string, string]
  const id = await makeCurated()
  for (let round = 0; round < 100; round++) {
    await ada.call(changeAdminPlaylists, {
      body: { action: 'update', id, track_ids: [a, b, c, d] },
    })
    const responses = await Promise.all([
      change(ada, id, [add(e), remove(a)]),
      change(ben, id, [add(f), toFront(d), remove(b)]),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const now = await stored(id)
    expect(now.toSorted()).toEqual([c, d, e, f].toSorted())
    expect(now.slice(0, 2)).toEqual([d, c])
  }
}, 60_000)

test('adds a track once when both people add it concurrently, and accepts both requests, 100 times', async () => {
  const [track] = await makeTracks(app.db, 1)
  const id = await makeCurated()
  for (let round = 0; round < 100; round++) {
    await change(ada, id, [remove(track!)])
    const responses = await Promise.all([
      change(ada, id, [add(track!)]),
      change(ben, id, [add(track!)]),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await stored(id)).toEqual([track])
  }
}, 60_000)

test('ignores moving or removing a track that was already removed, and accepts the requests', async () => {
  const [a, b] = (await makeTracks(app.db, 2)) as [string, string]
  const id = await makeCurated([a, b])
  await change(ada, id, [remove(b)])
  expect((await change(ben, id, [toFront(b)])).status).toBe(200)
  expect((await change(ben, id, [remove(b)])).status).toBe(200)
  expect(await stored(id)).toEqual([a])
})

test('rejects the entire request if it contains an unknown track', async () => {
  const [a] = (await makeTracks(app.db, 1)) as [string]
  const id = await makeCurated([a])
  const response = await change(ada, id, [remove(a), add('0191a0c0-0000-7000-8000-00000000dead')])
  expect(response.code).toBe('track_not_found')
  expect(await stored(id)).toEqual([a])
})

test('treats upper-case and lower-case ids as equal', async () => {
  const [a, b] = (await makeTracks(app.db, 2)) as [string, string]
  const id = await makeCurated([a, b])
  await change(ada, id, [toFront(b.toUpperCase()), add(a.toUpperCase())])
  expect(await stored(id)).toEqual([b, a])
})

test("a member's devices can add to one playlist concurrently within the plan's limit, 100 times", async () => {
  const person = await app.makePerson()
  const tracks = await makeTracks(app.db, 12)
  const { id } = (await person.call(createPlaylist, { body: { title: 'Mine' } })).body
  const params = { id }
  for (let round = 0; round < 100; round++) {
    await person.call(updatePlaylist, { params, body: { track_ids: tracks.slice(0, 8) } })
    const save = (...ids: string[]) =>
      person.call(updatePlaylist, { params, body: { track_changes: ids.map(add) } })
    const responses = await Promise.all([save(tracks[8]!), save(tracks[9]!), save(tracks[0]!)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await stored(id)).toSorted()).toEqual(tracks.slice(0, 10).toSorted())
  }
  const beyond = await person.call(updatePlaylist, {
    params,
    body: { track_changes: [add(tracks[11]!)] },
  })
  expect(beyond.code).toBe('track_limit_reached')
}, 60_000)

test("a member's changes keep unpublished tracks and cannot contain them", async () => {
  const person = await app.makePerson({ premium: true })
  const [a, b, c] = (await makeTracks(app.db, 3)) as [string, string, string]
  const { id } = (await person.call(createPlaylist, { body: { title: 'Mine' } })).body
  const params = { id }
  await person.call(updatePlaylist, { params, body: { track_ids: [a, b, c] } })
  const publish = (is_published: boolean) =>
    app.db.query.updateTable('tracks').set({ is_published }).where('id', '=', b).execute()
  await publish(false)
  const body = { track_changes: [remove(b), toFront(c)] }
  expect((await person.call(updatePlaylist, { params, body })).status).toBe(200)
  await publish(true)
  const seen = await person.call(listPlaylistTracks, { params })
  expect(seen.body.data.map(({ track }) => track.id)).toEqual([c, b, a])
})

test("a request to change another member's playlist is rejected", async () => {
  const owner = await app.makePerson()
  const { id } = (await owner.call(createPlaylist, { body: { title: 'Mine' } })).body
  const response = await ada.call(updatePlaylist, { params: { id }, body: { track_changes: [] } })
  expect(response.code).toBe('playlist_not_found')
  expect((await change(ada, id, [])).code).toBe('playlist_not_found')
})
