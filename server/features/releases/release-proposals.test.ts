// Releases proposed from the tags and folders of imported files.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  confirmReleaseProposals,
  deleteRelease,
  dismissReleaseProposals,
  getAdminRelease,
  listReleaseProposals,
} from '#contract/admin/admin-releases.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

interface Tags {
  album?: string
  album_artist?: string
  disc?: number
  track_number?: number
  year?: number
  folder?: string
}

/** Creates unpublished tracks with these tags, oldest first. */
async function importTracks(tags: Tags[], prefix = 'Imported'): Promise<string[]> {
  const { query } = app.services.db
  const ids = await makeTracks(app.services.db, tags.length, { published: false, prefix })
  await query
    .insertInto('track_file_tags')
    .values(tags.map((one, at) => ({ track_id: ids[at]!, ...one })))
    .execute()
  return ids
}

const proposals = async () => (await admin.call(listReleaseProposals, {})).body.data
const find = async (title: string) => (await proposals()).find((found) => found.title === title)
const confirm = (keys: string[]) => admin.call(confirmReleaseProposals, { body: { keys } })

test('proposes an album from its tags, ordered by disc and track number', async () => {
  const ids = await importTracks([
    { album: 'Tagged', album_artist: 'Mira Holt', disc: 2, track_number: 1, year: 2025 },
    { album: 'Tagged', album_artist: 'Mira Holt', disc: 1, track_number: 2, year: 2025 },
    { album: 'TAGGED', album_artist: 'mira holt', disc: 1, track_number: 1, year: 2024 },
  ])
  const found = (await find('Tagged')) ?? (await find('TAGGED'))
  expect(found).toMatchObject({ artist: 'mira holt', kind: 'single', year: 2025, source: 'album' })
  const { data } = (await confirm([found!.key])).body
  const release = (await admin.call(getAdminRelease, { params: { id: data[0]!.id } })).body
  expect(release).toMatchObject({ is_published: false, release_date: '2025-01-01' })
  expect(release.tracks.map(({ id, disc, position }) => [id, disc, position])).toEqual([
    [ids[2], 1, 1],
    [ids[1], 1, 2],
    [ids[0], 2, 1],
  ])
  expect(await find(found!.title)).toBeUndefined()
})

test('proposes a folder if there is no album, except folders of a month or of a single track', async () => {
  await importTracks([
    { folder: 'Late Walks' },
    { folder: 'Late Walks' },
    { folder: '2026-03' },
    { folder: '2026-03' },
    { folder: 'Alone' },
    { album: 'Album of one' },
  ])
  const found = await find('Late Walks')
  expect(found).toMatchObject({ kind: 'compilation', artist: 'Various Artists', source: 'folder' })
  expect(found?.tracks.map(({ position }) => position)).toEqual([1, 2])
  const titles = (await proposals()).map(({ title }) => title)
  expect(titles).not.toContain('2026-03')
  expect(titles).not.toContain('Alone')
  expect(titles).not.toContain('Album of one')
})

test('publishes confirmed proposals on request, and keeps those that cannot be published as drafts', async () => {
  const ids = await importTracks([{ album: 'Now' }, { album: 'Now' }])
  const failed = await importTracks([{ album: 'Broken' }, { album: 'Broken' }])
  await app.services.db.query
    .updateTable('tracks')
    .set({ processing_status: 'failed' })
    .where('id', 'in', failed)
    .execute()
  const keys = [(await find('Now'))!.key, (await find('Broken'))!.key]
  const { body } = await admin.call(confirmReleaseProposals, { body: { keys, publish: true } })
  const created = new Map(body.data.map((release) => [release.title, release]))
  expect(created.get('Broken')).toMatchObject({ is_published: false, published_count: 0 })
  expect(created.get('Now')).toMatchObject({ is_published: true, published_count: ids.length })
})

test('concurrent confirmations of one proposal create one release', async () => {
  await importTracks([{ album: 'Raced' }, { album: 'Raced' }])
  const { key } = (await find('Raced'))!
  const responses = await Promise.all([confirm([key]), confirm([key]), confirm([key])])
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
})

test('a track that is imported after the list was loaded is added to the confirmed release', async () => {
  await importTracks([{ album: 'Grown' }, { album: 'Grown' }])
  const { key } = (await find('Grown'))!
  const [late] = await importTracks([{ album: 'Grown' }])
  const [release] = (await confirm([key])).body.data
  expect(release).toMatchObject({ title: 'Grown', track_count: 3 })
  const tracks = await app.services.db.query
    .selectFrom('release_tracks')
    .select('track_id')
    .where('release_id', '=', release!.id)
    .execute()
  expect(tracks.map(({ track_id }) => track_id)).toContain(late)
})

test('confirming an outdated proposal returns conflict and creates nothing', async () => {
  await importTracks([{ album: 'Gone' }, { album: 'Gone' }])
  await importTracks([{ album: 'Stays' }, { album: 'Stays' }])
  const removed = (await find('Gone'))!
  const stays = (await find('Stays'))!
  await confirm([removed.key])
  expect((await confirm([stays.key, removed.key])).code).toBe('conflict')
  expect(await find('Stays')).toEqual(stays)
})

test('does not propose dismissed tracks again, but proposes tracks of a deleted release', async () => {
  await importTracks([{ album: 'Unwanted' }, { album: 'Unwanted' }])
  const { key } = (await find('Unwanted'))!
  await admin.call(dismissReleaseProposals, { body: { keys: [key] } })
  expect(await find('Unwanted')).toBeUndefined()
  await importTracks([{ album: 'Again' }, { album: 'Again' }])
  const [release] = (await confirm([(await find('Again'))!.key])).body.data
  await admin.call(deleteRelease, { params: { id: release!.id } })
  expect(await find('Again')).toBeDefined()
})
