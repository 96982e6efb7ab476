// Detecting that a file contains a recording that was already imported, by its sound.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importTrack } from '#contract/admin/track-imports.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { createTestFolder, encodeWav, writeWav, type Signal } from '../../testing/audio-fixtures.ts'
import { composeMelody } from '../../testing/melody.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { uploadTrack } from '../../testing/upload-track.ts'
import { measureSounds } from './processing/measure-sounds.ts'
import { processTrack } from './processing/process-track.ts'

let app: TestApp
let admin: Person
const folder = await createTestFolder()
const job = { signal: new AbortController().signal, isLastAttempt: true }

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const songOf = (signal: Signal, seconds = 20) => encodeWav(signal, { seconds })

async function createTrack(bytes: Uint8Array, filename: string, more: object = {}) {
  const mime = filename.endsWith('.mp3') ? 'audio/mpeg' : 'audio/wav'
  const file = { bucket: 'audio', filename, mime, size: bytes.length } as const
  const { body: signed } = await admin.call(createSignedUpload, { body: file })
  await fetch(new URL(signed.uploadUrl, app.url), {
    method: 'PUT',
    headers: { cookie: admin.cookie, 'upload-token': signed.uploadToken, 'content-type': mime },
    body: new Uint8Array(bytes),
  })
  const body = { audio_path: signed.path, batch: randomUUID(), ...more }
  const { href } = new URL(importTrack.path, app.url)
  const response = await fetch(href, {
    method: 'POST',
    headers: { cookie: admin.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, result: await response.json() }
}

const fingerprintOf = async (trackId: string) =>
  app.services.db.query
    .selectFrom('track_fingerprints')
    .selectAll()
    .where('track_id', '=', trackId)
    .executeTakeFirst()

test('detects a trimmed, quieter MP3 of a recording that has not been processed yet', async () => {
  const wav = await writeWav(join(folder, 'song.wav'), composeMelody(1), { seconds: 20 })
  const { id } = await uploadTrack(app, admin, await readFile(wav))
  const mp3 = join(folder, 'song.mp3')
  const encode = ['-ss', '0.5', '-i', wav, '-af', 'volume=-6dB', '-b:a', '128k', mp3]
  const files = { inputs: [wav], outputs: [mp3], timeoutMs: 60_000 }
  await app.services.ffmpeg.run(encode, files)
  const refused = await createTrack(await readFile(mp3), 'Another Name.mp3')
  expect(refused.result).toMatchObject({
    error: { code: 'track_exists', details: { id, title: 'a', by: 'sound' } },
  })
  const accepted = await createTrack(await readFile(mp3), 'Another Name.mp3', {
    allow_duplicate: true,
  })
  expect(accepted.status).toBe(201)
})

test('does not match another song of the same duration or a longer version', async () => {
  expect((await createTrack(songOf(composeMelody(2)), 'two.wav')).status).toBe(201)
  expect((await createTrack(songOf(composeMelody(3)), 'three.wav')).status).toBe(201)
  expect((await createTrack(songOf(composeMelody(3), 30), 'three, long.wav')).status).toBe(201)
})

test('imports only one of two concurrent uploads that sound the same', async () => {
  const song = composeMelody(4)
  const responses = await Promise.all([
    createTrack(songOf(song), 'four.wav'),
    createTrack(
      songOf((second) => 0.5 * song(second)),
      'quiet four.wav',
    ),
  ])
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
})

test('does not match a deleted track', async () => {
  const { id } = await uploadTrack(app, admin, songOf(composeMelody(5)))
  await app.services.db.query
    .updateTable('tracks')
    .set({ deleted_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
  const quiet = songOf((second) => 0.5 * composeMelody(5)(second))
  expect((await createTrack(quiet, 'five.wav')).status).toBe(201)
})

test('processing stores the fingerprint, and the measuring job adds missing fingerprints', async () => {
  const { db } = app.services
  const { id } = await uploadTrack(app, admin, songOf(composeMelody(6)), { allow_duplicate: true })
  expect(await fingerprintOf(id)).toBeUndefined()
  await processTrack(app.services, id, job)
  const stored = await fingerprintOf(id)
  expect(stored).toMatchObject({ version: 1, seconds: 20 })
  await db.query.deleteFrom('track_fingerprints').where('track_id', '=', id).execute()
  const soundOf = () =>
    db.query
      .selectFrom('track_sounds')
      .selectAll()
      .where('track_id', '=', id)
      .executeTakeFirstOrThrow()
  const sound = await soundOf()
  await measureSounds(app.services, job)
  expect(await fingerprintOf(id)).toEqual(stored)
  expect(await soundOf()).toEqual(sound)
})
