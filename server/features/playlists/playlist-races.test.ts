// Limits and the order of tracks when requests run concurrently.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addTrackToPlaylist,
  createPlaylist,
  listPlaylists,
  listPlaylistTracks,
  removeTrackFromPlaylist,
  updatePlaylist,
} from '#contract/playlists.ts'
import { transaction } from '../../platform/db/database.ts'
import { createFeatureApp, makeTracks, type FeatureApp } from '../../testing/feature-app.ts'
import { playlistRoutes } from './playlist-routes.ts'

let app: FeatureApp

beforeAll(async () => {
  app = await createFeatureApp((route, { pictures }) => playlistRoutes(route, pictures))
})
afterAll(() => app.close())

const rounds = 200

test('two concurrent requests with a free plan create exactly one playlist, 200 times', async () => {
  for (let i = 0; i < rounds; i++) {
    const person = await app.makePerson()
    const create = () => person.call(createPlaylist, { body: { title: 'First' } })
    const responses = await Promise.all([create(), create()])
    expect(responses.map((response) => response.code ?? 'made').toSorted()).toEqual([
      'made',
      'playlist_limit_reached',
    ])
    expect((await person.call(listPlaylists, {})).body.data).toHaveLength(1)
  }
}, 300_000)

test('many concurrent requests for a second playlist with a free plan are all refused', async () => {
  const person = await app.makePerson()
  await person.call(createPlaylist, { body: { title: 'First' } })
  const responses = await Promise.all(
    Array.from({ length: rounds }, () =>
      person.call(createPlaylist, { body: { title: 'Second' } }),
    ),
  )
  expect(new Set(responses.map((response) => response.code))).toEqual(
    new Set(['playlist_limit_reached']),
  )
}, 300_000)

test('concurrent requests to add a 10th and an 11th track add exactly one of them, 200 times', async () => {
  const tracks = await makeTracks(app.db, 11)
  const person = await app.makePerson()
  const { id } = (await person.call(createPlaylist, { body: { title: 'Ten' } })).body
  const params = { id }
  for (let i = 0; i < rounds; i++) {
    await person.call(updatePlaylist, { params, body: { track_ids: tracks.slice(0, 9) } })
    const add = (track_id: string) =>
      person.call(addTrackToPlaylist, { params, body: { track_id } })
    const save = () => person.call(updatePlaylist, { params, body: { track_ids: [...tracks] } })
    const responses = await Promise.all([add(tracks[9]!), add(tracks[10]!), save()])
    const codes = responses.map((response) => response.code ?? 'added').toSorted()
    expect(codes).toEqual(['added', 'track_limit_reached', 'track_limit_reached'])
    const { body } = await person.call(listPlaylistTracks, { params })
    expect(body.data.map((entry) => entry.order_index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  }
}, 300_000)

test('adding the same track twice concurrently adds it once', async () => {
  const [track] = await makeTracks(app.db, 1)
  const person = await app.makePerson({ premium: true })
  const { id } = (await person.call(createPlaylist, { body: { title: 'Twice' } })).body
  const add = () => person.call(addTrackToPlaylist, { params: { id }, body: { track_id: track! } })
  const responses = await Promise.all(Array.from({ length: 8 }, add))
  expect(responses.filter((response) => response.status === 201)).toHaveLength(1)
  expect(new Set(responses.map((response) => response.code))).toEqual(
    new Set([undefined, 'track_already_in_playlist']),
  )
})

test('positions have no gaps after concurrent adds, removals, saves and deletions by an admin', async () => {
  const person = await app.makePerson({ premium: true })
  const { id } = (await person.call(createPlaylist, { body: { title: 'Busy' } })).body
  const params = { id }
  for (let round = 0; round < 25; round++) {
    const tracks = await makeTracks(app.db, 8)
    await person.call(updatePlaylist, { params, body: { track_ids: tracks.slice(0, 5) } })
    const responses = await Promise.all([
      person.call(addTrackToPlaylist, { params, body: { track_id: tracks[5]! } }),
      transaction(app.db, async (trx) => {
        await trx.query.deleteFrom('tracks').where('id', 'in', [tracks[0]!, tracks[6]!]).execute()
        return { status: 204 }
      }),
      person.call(addTrackToPlaylist, { params, body: { track_id: tracks[6]! } }),
      person.call(removeTrackFromPlaylist, { params: { ...params, track_id: tracks[2]! } }),
      person.call(addTrackToPlaylist, { params, body: { track_id: tracks[7]! } }),
    ])
    expect(responses.map((response) => response.status).filter((status) => status >= 500)).toEqual(
      [],
    )
    const rows = await app.db.query
      .selectFrom('playlist_tracks')
      .select('order_index')
      .where('playlist_id', '=', id)
      .orderBy('order_index')
      .execute()
    expect(rows.map((row) => row.order_index)).toEqual(rows.map((_, i) => i))
  }
}, 300_000)
