// Replacing a track's recording, from the request to the audio that listeners receive, with real files and real jobs.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getAdminTrack, publishTrack, updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { importTrack } from '#contract/admin/track-imports.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { probeAudio } from '../../platform/ffmpeg/probe.ts'
import { createSine, encodeWav } from '../../testing/audio-fixtures.ts'
import type { Services } from '../../services.ts'
import { sweepStorageGarbage } from '../../platform/storage/storage-garbage.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { processTrack } from './processing/process-track.ts'

const job = { signal: new AbortController().signal, isLastAttempt: true }
const dayMs = 24 * 3600_000
const secondsOf = { old: 3, new: 6 }
const previewSeconds = 2

let server: TestApp
let services: Services
let admin: Person
let listener: Person
let id: string
let hertz = 300

beforeAll(async () => {
  server = await createTestApp()
  services = server.services
  admin = await server.makePerson({ role: 'admin' })
  listener = await server.makePerson({ tier: 'premium' })
  await services.db.query
    .updateTable('settings')
    .set({ preview_length_seconds: previewSeconds })
    .execute()
})
afterAll(() => server.close())

beforeEach(async () => {
  const audio_path = await upload(secondsOf.old)
  const imported = await admin.call(importTrack, { body: { audio_path, batch: randomUUID() } })
  id = imported.body.data.id
  await admin.call(publishTrack, { params: { id } })
  await sql`delete from jobs.job`.execute(services.db.query)
  await processTrack(services, id, job)
})

/** Uploads a new recording and returns its path. */
async function upload(seconds: number): Promise<string> {
  // Each recording has a different loudness, so that a test can recognize it by its waveform.
  const signal = createSine((hertz += 50), seconds === secondsOf.old ? -12 : -20)
  const bytes = encodeWav(signal, { seconds, sampleRate: 22_050, channels: 1 })
  const body = {
    bucket: 'audio',
    filename: 'a.wav',
    mime: 'audio/wav',
    size: bytes.length,
  } as const
  const signed = (await admin.call(createSignedUpload, { body })).body
  const sent = await fetch(`${server.url}${signed.uploadUrl}`, {
    method: 'PUT',
    headers: {
      cookie: admin.cookie,
      'upload-token': signed.uploadToken,
      'content-type': 'audio/wav',
    },
    body: new Uint8Array(bytes),
  })
  if (sent.status !== 204) throw new Error(`The upload returned ${sent.status}`)
  return signed.path
}

/** Reads the track's row, and its files by kind. */
async function read() {
  const track = await services.db.query
    .selectFrom('tracks')
    .select(['duration', 'peaks', 'source_key', 'source_sha256', 'processing_status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const rows = await services.db.query
    .selectFrom('renditions')
    .select(['kind', 'storage_key', 'duration_seconds'])
    .where('track_id', '=', id)
    .orderBy('kind')
    .execute()
  const keys = rows.map(({ storage_key }) => storage_key)
  const seconds = Object.fromEntries(
    rows.map((row) => [row.kind, Math.round(row.duration_seconds)]),
  )
  return { ...track, peaks: track.peaks?.toString('hex'), keys, seconds }
}

const replace = async (audio_path: string) =>
  admin.call(updateAdminTrack, { params: { id }, body: { audio_path } })

async function waitingJobs() {
  const { rows } = await sql<{ name: string; track: string }>`
    select name, data->>'track_id' as track from jobs.job where state = 'created'`.execute(
    services.db.query,
  )
  return rows
}

/** Duration of the file that a Premium listener receives. */
async function measureReceivedSeconds(): Promise<number> {
  const response = await fetch(`${server.url}/api/tracks/${id}/stream`, {
    headers: { cookie: listener.cookie },
  })
  expect(response.status).toBe(200)
  const key = `uploads/heard-${id}.m4a`
  await services.storage.put(key, Buffer.from(await response.arrayBuffer()))
  const { durationSeconds } = await services.storage.withLocalFile(key, probeAudio)
  await services.storage.delete(key)
  return Math.round(durationSeconds ?? 0)
}

const isStored = async (key: string) => (await services.storage.stat(key)) !== null

test('the old recording plays until the new one is processed; its files are then deleted', async () => {
  const old = await read()
  expect(old.seconds).toEqual({ standard: 3, high: 3, preview: previewSeconds })
  const path = await upload(secondsOf.new)
  const response = await replace(path)
  expect([response.status, response.code]).toEqual([200, undefined])
  expect(await waitingJobs()).toEqual([{ name: 'process-track', track: id }])
  const between = await read()
  expect([between.keys, between.source_key]).toEqual([old.keys, path])
  expect(await measureReceivedSeconds()).toBe(secondsOf.old)

  await processTrack(services, id, job)
  const now = await read()
  expect(now).toMatchObject({ duration: secondsOf.new, processing_status: 'ready' })
  expect(now.seconds).toEqual({ standard: 6, high: 6, preview: previewSeconds })
  expect(now.keys.filter((key) => old.keys.includes(key))).toEqual([])
  expect(now.peaks).not.toBe(old.peaks)
  expect(now.source_sha256).not.toBe(old.source_sha256)
  expect(await measureReceivedSeconds()).toBe(secondsOf.new)
  const { body } = await admin.call(getAdminTrack, { params: { id } })
  expect(body).toMatchObject({ duration: secondsOf.new, is_published: true })

  await sweepStorageGarbage(services.db, services.storage, services.now())
  for (const key of [...old.keys, old.source_key!]) expect(await isStored(key), key).toBe(false)
  for (const key of [...now.keys, path]) expect(await isStored(key), key).toBe(true)
})

test('files that a job generated from the replaced recording are discarded', async () => {
  const old = await read()
  const path = await upload(secondsOf.new)
  // The job reads the old recording. It stores its first file after the new recording was saved.
  const { storage } = services
  let saved: Promise<unknown> | undefined
  const newKeys: string[] = []
  const late: typeof storage.putFile = async (key, file) => {
    await (saved ??= replace(path))
    newKeys.push(key)
    return storage.putFile(key, file)
  }
  await processTrack({ ...services, storage: { ...storage, putFile: late } }, id, job)
  expect(newKeys).toHaveLength(3)
  const between = await read()
  expect(between).toMatchObject({ keys: old.keys, duration: old.duration, peaks: old.peaks })
  expect(between.source_key).toBe(path)

  await processTrack(services, id, job)
  const now = await read()
  expect(now.duration).toBe(secondsOf.new)
  expect(now.keys.filter((key) => newKeys.includes(key))).toEqual([])
  // These files belong to no track. They stay reserved for a day, after which the storage sweep deletes them.
  const later = new Date(services.now().getTime() + 2 * dayMs)
  await sweepStorageGarbage(services.db, storage, later)
  for (const key of newKeys) expect(await isStored(key), key).toBe(false)
  for (const key of now.keys) expect(await isStored(key), key).toBe(true)
})

test('an upload without audio is rejected, and the track keeps its recording', async () => {
  const old = await read()
  const body = { bucket: 'audio', filename: 'a.wav', mime: 'audio/wav', size: 5 } as const
  const signed = (await admin.call(createSignedUpload, { body })).body
  await fetch(`${server.url}${signed.uploadUrl}`, {
    method: 'PUT',
    headers: { cookie: admin.cookie, 'upload-token': signed.uploadToken },
    body: 'noise',
  })
  expect((await replace(signed.path)).status).toBeGreaterThanOrEqual(400)
  expect(await read()).toEqual(old)
  expect(await waitingJobs()).toEqual([])
})
