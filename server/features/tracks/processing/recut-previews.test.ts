// Changing the preview length, from the saved setting to the audio that a free member receives.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getPreviewProgress, getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import { importTrack } from '#contract/admin/track-imports.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { probeAudio } from '../../../platform/ffmpeg/probe.ts'
import { encodeTaggedWav } from '../../../testing/tagged-wav.ts'
import { createTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { startWorker } from '../../../worker.ts'

let server: TestApp
let admin: Person
let free: Person
let folder: string
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  server = await createTestApp()
  admin = await server.makePerson({ role: 'admin' })
  free = await server.makePerson()
  folder = await mkdtemp(join(tmpdir(), 'velour-recut-'))
  worker = await startWorker(server.services)
})
afterAll(async () => {
  await worker.stop()
  await server.close()
  await rm(folder, { recursive: true })
})

async function setLength(preview_length_seconds: number): Promise<void> {
  const { updated_at: _, ...settings } = (await admin.call(getSettings, {})).body
  const body = { action: 'update' as const, settings: { ...settings, preview_length_seconds } }
  expect((await admin.call(updateSettings, { body })).code).toBeUndefined()
}

async function publishSong(seconds: number): Promise<string> {
  const bytes = encodeTaggedWav(seconds, 330, {})
  const { body: signed } = await admin.call(createSignedUpload, {
    body: { bucket: 'audio', filename: 'song.wav', mime: 'audio/wav', size: bytes.length },
  })
  const sent = await fetch(`${server.url}${signed.uploadUrl}`, {
    method: 'PUT',
    headers: {
      cookie: admin.cookie,
      'upload-token': signed.uploadToken,
      'content-type': 'audio/wav',
    },
    body: new Uint8Array(bytes),
  })
  expect(sent.status).toBe(204)
  const { body } = await admin.call(importTrack, {
    body: { audio_path: signed.path, batch: '6f8f7d1e-0000-4000-8000-000000000000' },
  })
  const { id } = body.data
  await expect.poll(() => statusOf(id), { timeout: 40_000 }).toBe('ready')
  expect((await admin.send('POST', `/api/admin-tracks/${id}/publish`)).status).toBe(200)
  return id
}

const statusOf = async (id: string) => {
  const { processing_status } = await server.services.db.query
    .selectFrom('tracks')
    .select('processing_status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return processing_status
}

/** Duration of the preview that the free member receives. */
async function measureReceivedSeconds(id: string): Promise<number> {
  const response = await fetch(`${server.url}/api/tracks/${id}/preview`, {
    headers: { cookie: free.cookie },
  })
  expect(response.status).toBe(200)
  const path = join(folder, 'preview.m4a')
  await writeFile(path, new Uint8Array(await response.arrayBuffer()))
  return (await probeAudio(path)).durationSeconds ?? 0
}

test('a new length enqueues a new cut of every preview and reports the progress', async () => {
  await setLength(4)
  const id = await publishSong(9)
  expect(await measureReceivedSeconds(id)).toBeCloseTo(4, 0)

  await setLength(2)
  const progress = async () => (await admin.call(getPreviewProgress, {})).body
  expect((await progress()).total).toBe(1)
  await expect.poll(progress, { timeout: 40_000 }).toEqual({ total: 1, stale: 0 })
  expect(await measureReceivedSeconds(id)).toBeCloseTo(2, 0)
}, 100_000)
