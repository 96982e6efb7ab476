// Tests uploading a complete release by dropping its folder. The files become drafts, which the creator edits, groups
// and submits for review together.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as releases from '#contract/admin/admin-releases.ts'
import { updateAdminTracks } from '#contract/admin/admin-tracks.ts'
import { findTracksByHash, importTrack, listImportedTracks } from '#contract/admin/track-imports.ts'
import { submitReview, publishReview } from '#contract/creators/reviews.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { uploadWav } from '../../testing/upload-track.ts'

let app: TestApp
let editor: Person
let creator: Person
let other: Person
const album = ['Dusk', 'Dawn', 'Noon'].map((title, at) =>
  encodeTaggedWav(0.2, 300 + 40 * at, { texts: { TIT2: title, TALB: 'A Day', TPE1: 'The Voice' } }),
)

beforeAll(async () => {
  app = await createTestApp({ artistName: 'The House' })
  editor = await app.makePerson({ role: 'editor' })
  creator = await app.makePerson({ role: 'creator' })
  other = await app.makePerson({ role: 'creator' })
})
afterAll(() => app.close())

async function drop(person: Person, wavs: Buffer[], batch: string) {
  const answers = []
  for (const wav of wavs) {
    const audio_path = await uploadWav(app, person, wav)
    const body = { audio_path, batch, folder: 'A Day' }
    answers.push(await person.call(importTrack, { body }))
  }
  return answers
}

test('the tracks of a dropped release are edited together, proposed as a release, and published with one review', async () => {
  const batch = randomUUID()
  const dropped = await drop(creator, album, batch)
  expect(dropped.map(({ code }) => code)).toEqual([undefined, undefined, undefined])
  const params = { id: batch }
  const { data } = (await creator.call(listImportedTracks, { params })).body
  expect(data.map(({ artist, is_published }) => [artist, is_published])).toEqual(
    album.map(() => ['The Voice', false]),
  )
  const changes = data.map(({ id }) => ({ id, moods: ['calm'] }))
  expect((await creator.call(updateAdminTracks, { body: { changes } })).code).toBeUndefined()

  const proposals = (await creator.call(releases.listReleaseProposals, { query: { batch } })).body
  expect(proposals.data).toMatchObject([{ title: 'A Day', artist: 'The Voice' }])
  const keys = proposals.data.map(({ key }) => key)
  // Nobody else can see or confirm the release proposal.
  expect((await other.call(releases.listReleaseProposals, {})).body.data).toEqual([])
  const stolen = await other.call(releases.confirmReleaseProposals, { body: { keys } })
  expect(stolen.code).toBe('conflict')
  const made = await creator.call(releases.confirmReleaseProposals, { body: { keys } })
  const release_id = made.body.data[0]!.id

  const sent = await creator.call(submitReview, { body: { release_id } })
  const locked = await creator.call(updateAdminTracks, { body: { changes } })
  expect(locked.code).toBe('review_locked')
  const review = { id: sent.body.id }
  expect((await editor.call(publishReview, { params: review })).code).toBeUndefined()
  const published = await creator.call(releases.getAdminRelease, { params: { id: release_id } })
  expect(published.body).toMatchObject({ is_published: true, title: 'A Day' })
})

test("exposes no tracks of other people through the batch, a file's hash, its audio or an upload", async () => {
  const batch = randomUUID()
  const [first] = await drop(editor, [encodeTaggedWav(0.2, 900)], batch)
  expect(first!.code).toBeUndefined()
  expect((await creator.call(listImportedTracks, { params: { id: batch } })).body.data).toEqual([])
  const { source_key, source_sha256 } = await app.services.db.query
    .selectFrom('tracks')
    .select(['source_key', 'source_sha256'])
    .where('id', '=', first!.body.data.id)
    .executeTakeFirstOrThrow()
  const known = await creator.call(findTracksByHash, { body: { sha256: [source_sha256!] } })
  expect(known.body.data).toEqual([])
  const stolen = await creator.call(importTrack, { body: { audio_path: source_key!, batch } })
  expect(stolen.code).toBe('upload_not_found')
  // When a creator drops a file that someone else has uploaded, it becomes a new track of the creator.
  const [same] = await drop(creator, [encodeTaggedWav(0.2, 900)], batch)
  expect(same!.code).toBeUndefined()
  // A file without an artist gets one of the creator's artists instead of the default artist.
  expect(same!.body.data.artist).toBe('The Voice')
  const again = await drop(creator, [encodeTaggedWav(0.2, 900)], batch)
  expect(again[0]!.code).toBe('track_exists')
})

test("rejects a file that names someone else's artist", async () => {
  const texts = { TIT2: 'Cover', TPE1: 'The Voice' }
  const [answer] = await drop(other, [encodeTaggedWav(0.2, 1200, { texts })], randomUUID())
  expect(answer!.code).toBe('artist_not_yours')
})
