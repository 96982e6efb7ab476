// Saves that include the version they are based on, over HTTP on a real PostgreSQL.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addTracksToCategory,
  createCategory,
  reorderCategories,
  updateCategory,
} from '#contract/admin/admin-categories.ts'
import { createGenre, updateGenre } from '#contract/admin/admin-genres.ts'
import { changeAdminPlaylists } from '#contract/admin/admin-playlists.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import {
  getAdminTrack,
  publishTrack,
  updateAdminTrack,
  updateAdminTracks,
} from '#contract/admin/admin-tracks.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let server: TestApp
let ada: Person
let ben: Person

beforeAll(async () => {
  server = await createTestApp()
  ada = await server.makePerson({ role: 'admin' })
  ben = await server.makePerson({ role: 'admin' })
})
afterAll(() => server.close())

/** Checks that a response is the error `changed_meanwhile` and returns its details. */
function readDetails(response: { status: number; code: string | undefined; body: unknown }) {
  expect([response.status, response.code]).toEqual([409, 'changed_meanwhile'])
  return (response.body as { error: { details: Record<string, unknown> } }).error.details
}
const ownerOf = (person: Person) => ({ id: person.id, name: person.email })
async function makeTrack(): Promise<{ params: { id: string } }> {
  const [id] = await makeTracks(server.services.db, 1)
  return { params: { id: id! } }
}
const versionOf = async (track: { params: { id: string } }) =>
  (await ada.call(getAdminTrack, track)).body.version

test('a stale save of a track returns 409 with the person who changed it and the current track', async () => {
  const track = await makeTrack()
  const { version } = (await ada.call(getAdminTrack, track)).body
  expect(version).toBe(1)
  const saved = await ben.call(updateAdminTrack, { ...track, body: { title: 'By Ben', version } })
  expect(saved.body).toMatchObject({ title: 'By Ben', version: 2 })

  const refused = await ada.call(updateAdminTrack, { ...track, body: { title: 'By Ada', version } })
  const details = readDetails(refused)
  expect(details).toEqual({
    changed_by: ownerOf(ben),
    changed_at: expect.any(String),
    current: saved.body,
  })
  expect((await ada.call(getAdminTrack, track)).body.title).toBe('By Ben')

  const again = await ada.call(updateAdminTrack, {
    ...track,
    body: { title: 'By Ada', version: 2 },
  })
  expect(again.body).toMatchObject({ title: 'By Ada', version: 3 })
})

test('overwrites any version when saved without a version', async () => {
  const track = await makeTrack()
  await ben.call(updateAdminTrack, { ...track, body: { title: 'By Ben' } })
  const saved = await ada.call(updateAdminTrack, { ...track, body: { title: 'By Ada' } })
  expect(saved.body).toMatchObject({ title: 'By Ada', version: 3 })
})

test('accepts one of two concurrent saves of the same version, 50 times', async () => {
  const track = await makeTrack()
  for (let version = 1; version <= 50; version++) {
    const save = (who: Person, title: string) =>
      who.call(updateAdminTrack, { ...track, body: { title, version } })
    const responses = await Promise.all([save(ada, `Ada ${version}`), save(ben, `Ben ${version}`)])
    expect(responses.map(({ code }) => code ?? 'saved').toSorted()).toEqual([
      'changed_meanwhile',
      'saved',
    ])
  }
}, 300_000)

test('processing results and saves without a change keep the version of a track', async () => {
  const track = await makeTrack()
  const { id } = track.params
  await server.services.db.query
    .updateTable('tracks')
    .set({ duration: 321, loudness_lufs: -14, processing_status: 'ready', processing_progress: 1 })
    .where('id', '=', id)
    .execute()
  const { title } = (await ada.call(getAdminTrack, track)).body
  await ada.call(updateAdminTrack, { ...track, body: { title } })
  expect(await versionOf(track)).toBe(1)
  await ada.call(publishTrack, track)
  expect(await versionOf(track)).toBe(1)
})

test('a change made by the service has no author', async () => {
  const track = await makeTrack()
  await ada.call(updateAdminTrack, { ...track, body: { title: 'By Ada' } })
  await server.services.db.query
    .updateTable('tracks')
    .set({ lyrics: 'From the file' })
    .where('id', '=', track.params.id)
    .execute()
  const body = { title: 'By Ben', version: 2 }
  const details = readDetails(await ben.call(updateAdminTrack, { ...track, body }))
  expect(details).toMatchObject({ changed_by: null, current: { lyrics: 'From the file' } })
})

test('renaming a genre, and adding a track to a category, count as changes of the track', async () => {
  const genre = (await ada.call(createGenre, { body: { name: 'Dub' } })).body
  const track = await makeTrack()
  await ada.call(updateAdminTrack, { ...track, body: { genre: 'Dub' } })
  await ben.call(updateGenre, { params: { id: genre.id }, body: { name: 'Dub Techno' } })
  expect(await versionOf(track)).toBe(3)
  const category = (
    await ada.call(createCategory, { body: { category: 'night', display_name: 'Night' } })
  ).body
  await ben.call(addTracksToCategory, {
    params: { id: category.id },
    body: { track_ids: [track.params.id] },
  })
  const body = { title: 'By Ada', version: 3 }
  expect(readDetails(await ada.call(updateAdminTrack, { ...track, body }))).toMatchObject({
    changed_by: ownerOf(ben),
    current: { genre: 'Dub Techno', category: 'night' },
  })
})

test('a bulk edit with one stale track changes nothing and names that track', async () => {
  const [first, second] = await makeTracks(server.services.db, 2)
  const newer = { params: { id: second! } }
  await ben.call(updateAdminTrack, { ...newer, body: { title: 'By Ben' } })
  const changes = [first!, second!].map((id) => ({ id, title: 'By Ada', version: 1 }))
  const details = readDetails(await ada.call(updateAdminTracks, { body: { changes } }))
  expect(details).toMatchObject({ id: second, changed_by: ownerOf(ben), current: { id: second } })
  const untouched = (await ada.call(getAdminTrack, { params: { id: first! } })).body
  expect(untouched).toMatchObject({ title: 'Track 1', version: 1 })
})

test('a stale save of a category returns 409, and reordering keeps its version', async () => {
  const make = (name: string) =>
    ada.call(createCategory, { body: { category: name, display_name: name } })
  const { id, version } = (await make('dusk')).body
  const all = (await ada.send('GET', '/api/admin-categories')).body as { data: { id: string }[] }
  await ben.call(reorderCategories, { body: { ids: all.data.map((one) => one.id).toReversed() } })
  const params = { id }
  const saved = await ben.call(updateCategory, { params, body: { description: 'Ben', version } })
  expect(saved.body.version).toBe(2)
  const refused = await ada.call(updateCategory, { params, body: { description: 'Ada', version } })
  expect(readDetails(refused)).toMatchObject({ changed_by: ownerOf(ben), current: saved.body })
})

test('a stale save of a curated playlist returns 409, and changing its tracks keeps its version', async () => {
  const [track] = await makeTracks(server.services.db, 1)
  const change = async (who: Person, body: object) =>
    who.call(changeAdminPlaylists, { body: body as never })
  const { playlist } = (await change(ada, { action: 'create', title: 'Evening' })).body
  const { id, version } = playlist!
  await change(ben, { action: 'update', id, track_changes: [{ action: 'add', track_id: track }] })
  const saved = await change(ben, { action: 'update', id, title: 'By Ben', version })
  expect(saved.body.playlist).toMatchObject({ title: 'By Ben', version: 2, track_count: 1 })
  const refused = await change(ada, { action: 'update', id, title: 'By Ada', version })
  expect(readDetails(refused)).toMatchObject({
    changed_by: ownerOf(ben),
    current: { title: 'By Ben', playlist_tracks: [{ track: { id: track } }] },
  })
})

test('a stale save of settings returns 409 without the secret, and re-encrypting the secret keeps the version', async () => {
  const { version, updated_at: _, ...settings } = (await ada.call(getSettings, {})).body
  const save = (who: Person, changes: Partial<typeof settings>, readVersion: number) =>
    who.call(updateSettings, {
      body: { action: 'update', settings: { ...settings, ...changes }, version: readVersion },
    })
  const saved = await save(ben, { stripe_webhook_secret: 'whsec_0123456789' }, version)
  expect(saved.body.version).toBe(version + 1)
  await server.services.db.query
    .updateTable('settings')
    .set({ stripe_webhook_secret: server.services.secretBox.seal('whsec_0123456789') })
    .execute()
  expect((await ada.call(getSettings, {})).body.version).toBe(version + 1)
  const details = readDetails(await save(ada, { preview_length_seconds: 30 }, version))
  expect(details).toMatchObject({ changed_by: ownerOf(ben), current: saved.body })
  expect(JSON.stringify(details)).not.toContain('whsec_012345')
})
