import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxDownloadsPerDay } from '#contract/offline.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let clockMs = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  app = await createTestApp({}, { now: () => new Date(clockMs) })
})
afterAll(() => app.close())

async function makeStoredTrack(): Promise<string> {
  const { db, storage } = app.services
  const [id] = await makeTracks(db, 1)
  for (const kind of ['standard', 'high'] as const) {
    const storage_key = `audio/${id}/${kind}.m4a`
    const { etag } = await storage.put(storage_key, Buffer.alloc(100))
    await db.query
      .insertInto('renditions')
      .values({
        track_id: id!,
        kind,
        storage_key,
        mime: 'audio/mp4',
        byte_size: 100,
        duration_seconds: 1,
        etag,
      })
      .execute()
  }
  return id!
}

const downloadTrack = (person: Person, track: string) =>
  person.send('GET', `/api/tracks/${track}/stream?keep=true`)

test('an account can download a thousand different tracks a day, each any number of times', async () => {
  const person = await app.makePerson({ tier: 'premium' })
  const { db } = app.services
  const before = await makeTracks(db, maxDownloadsPerDay - 1)
  await db.query
    .insertInto('track_deliveries')
    .values(
      before.map((track_id) => ({
        user_id: person.id,
        track_id,
        is_preview: false,
        kept_on: '2026-11-21',
      })),
    )
    .execute()
  const [last, beyond] = [await makeStoredTrack(), await makeStoredTrack()]
  for (let i = 0; i < 3; i++) expect((await downloadTrack(person, last)).status).toBe(200)
  const refused = await downloadTrack(person, beyond)
  expect([refused.status, refused.code]).toEqual([429, 'too_many_downloads'])
  expect(refused.headers.get('retry-after')).toBe(String(12 * 3600))
  expect((await person.send('GET', `/api/tracks/${beyond}/stream`)).status).toBe(200)
  expect((await downloadTrack(await app.makePerson({ tier: 'premium' }), beyond)).status).toBe(200)
  clockMs += 12 * 3600 * 1000
  expect((await downloadTrack(person, beyond)).status).toBe(200)
})

test('downloads require Premium, even for a track that everyone can play in full', async () => {
  const free = await app.makePerson()
  const track = await makeStoredTrack()
  const refused = await downloadTrack(free, track)
  expect([refused.status, refused.code]).toEqual([403, 'premium_required'])
})
