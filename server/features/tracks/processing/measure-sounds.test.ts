import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeWav } from '../../../testing/audio-fixtures.ts'
import { createTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { uploadTrack } from '../../../testing/upload-track.ts'
import { soundVersion } from '../../../platform/sound/sound-features.ts'
import { measureSounds } from './measure-sounds.ts'
import { processTrack } from './process-track.ts'

let app: TestApp
let admin: Person
const job = { signal: new AbortController().signal, isLastAttempt: true }

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

/** A signal of half a second of tone and half a second of silence, alternating: 60 beats per minute. */
const generatePulses = (hertz: number) => (seconds: number) =>
  seconds % 1 < 0.5 ? 0.4 * Math.sin(2 * Math.PI * hertz * seconds) * (1 - (seconds % 1)) : 0

const upload = async (hertz: number) => {
  const wav = encodeWav(generatePulses(hertz), { seconds: 13 })
  return (await uploadTrack(app, admin, wav)).id
}
const soundOf = (trackId: string) =>
  app.services.db.query
    .selectFrom('track_sounds')
    .selectAll()
    .where('track_id', '=', trackId)
    .executeTakeFirst()

test('processing a track stores its measured sound', async () => {
  const id = await upload(440)
  await processTrack(app.services, id, job)
  const sound = (await soundOf(id))!
  expect(sound).toMatchObject({ version: soundVersion, key: 9 })
  expect(sound.vector).toHaveLength(192)
  expect(Math.abs(((sound.tempo! / 60) % 1) - 0.5)).toBeGreaterThan(0.48)
  expect(sound.loudness_range).toBeGreaterThanOrEqual(0)
})

test('the job measures tracks without a stored sound and tracks measured by an older version', async () => {
  const { db } = app.services
  const [old, none, unready] = [await upload(300), await upload(350), await upload(400)]
  for (const id of [old, none]) await processTrack(app.services, id, job)
  const before = await soundOf(old)
  await db.query
    .updateTable('track_sounds')
    .set({ version: 0, vector: null })
    .where('track_id', '=', old)
    .execute()
  await db.query.deleteFrom('track_sounds').where('track_id', '=', none).execute()
  await measureSounds(app.services, job)
  expect((await soundOf(old))!.vector).toEqual(before!.vector)
  expect((await soundOf(none))!.version).toBe(soundVersion)
  expect(await soundOf(unready)).toBeUndefined()
})

test('the measuring job does not retry a track whose recording is missing', async () => {
  const id = await upload(500)
  const { db } = app.services
  await db.query
    .updateTable('tracks')
    .set({ processing_status: 'ready', source_key: 'audio/lost.wav' })
    .where('id', '=', id)
    .execute()
  await measureSounds(app.services, job)
  expect(await soundOf(id)).toMatchObject({ version: soundVersion, vector: null, tempo: null })
})

test('the measuring job stores nothing when it is aborted', async () => {
  const id = await upload(550)
  const { db } = app.services
  await db.query
    .updateTable('tracks')
    .set({ processing_status: 'ready' })
    .where('id', '=', id)
    .execute()
  const aborted = { signal: AbortSignal.abort(new Error('the server is stopping')) }
  await expect(measureSounds(app.services, aborted)).rejects.toThrow('the server is stopping')
  expect(await soundOf(id)).toBeUndefined()
})
