// Publishing or scheduling tracks before their processing ends, with real files and the real processing.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAdminTrack, updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { getTrack } from '#contract/tracks.ts'
import { createSine, encodeWav } from '../../../testing/audio-fixtures.ts'
import { createTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { uploadTrack } from '../../../testing/upload-track.ts'
import { publishDueTracks } from '../publish-due-tracks.ts'
import { processTrack } from './process-track.ts'

const job = { signal: new AbortController().signal, isLastAttempt: true }
const dayMs = 24 * 3600_000
let server: TestApp
let admin: Person
let member: Person
let hertz = 300

beforeAll(async () => {
  server = await createTestApp()
  admin = await server.makePerson({ role: 'admin' })
  member = await server.makePerson()
})
afterAll(() => server.close())

async function makePending(body: object): Promise<string> {
  const signal = createSine((hertz += 50), -12)
  const wav = encodeWav(signal, { seconds: 2, sampleRate: 22_050, channels: 1 })
  const { id } = await uploadTrack(server, admin, wav)
  const saved = await admin.call(updateAdminTrack, { params: { id }, body })
  expect(saved.status).toBe(200)
  return id
}

const openTrack = (id: string) => member.call(getTrack, { params: { id } })

test("early access starts when the track's files are ready, not when it is published", async () => {
  const id = await makePending({ is_published: true, early_access_days: 3 })
  const waiting = (await admin.call(getAdminTrack, { params: { id } })).body
  expect(waiting).toMatchObject({ publish_when_ready: true, early_access_until: null })
  const before = Date.now()
  await processTrack(server.services, id, job)
  const { body } = await openTrack(id)
  const until = Date.parse(body.early_access_until ?? '')
  expect(until).toBeGreaterThanOrEqual(before + 3 * dayMs)
  expect(until).toBeLessThanOrEqual(Date.now() + 3 * dayMs)
})

test('a track whose release date passes during processing is published afterwards', async () => {
  const release_at = new Date(Date.now() + dayMs).toISOString()
  const id = await makePending({ release_at, release_zone: 'UTC', early_access_days: 3 })
  const later = new Date(Date.parse(release_at) + 1000)
  expect(await publishDueTracks(server.services.db, later)).toBe(0)
  await processTrack(server.services, id, job)
  expect((await openTrack(id)).code).toBe('track_not_found')
  expect(await publishDueTracks(server.services.db, later)).toBe(1)
  expect((await openTrack(id)).body.early_access_until).toBe(
    new Date(Date.parse(release_at) + 3 * dayMs).toISOString(),
  )
})
