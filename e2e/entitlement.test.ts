// Tries every known way to get a full track over HTTP without the right to play it.
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminTrack } from '../contract/admin/admin-tracks.ts'
import {
  requestUpload,
  createApiClient,
  publishTrack,
  signInOwner,
  type ApiClient,
} from './harness/api-client.ts'
import { makeWav } from './harness/make-wav.ts'
import { startService, type Service } from './harness/service.ts'

let service: Service
let owner: ApiClient
let free: ApiClient
let premium: ApiClient
let nobody: ApiClient
let track: AdminTrack
let hidden: AdminTrack

const password = 'a-listeners-password'

beforeAll(async () => {
  service = await startService()
  owner = await signInOwner(service.url)
  nobody = createApiClient(service.url)
  free = await makeMember('free@example.com')
  premium = await makeMember('premium@example.com')
  const { body } = await owner.send('GET', '/api/admin-users?q=premium@example.com')
  const [person] = body['data'] as { id: string }[]
  await owner.send('PATCH', `/api/admin-users/${person!.id}/subscription`, {
    subscription_tier: 'premium',
  })
  track = await publishTrack(owner, makeWav(60, 330), { title: 'The Whole of It' })
  hidden = await publishTrack(owner, makeWav(3, 440), { title: 'Not Yet', is_published: false })
})

afterAll(() => service.remove())

async function makeMember(email: string) {
  await owner.send('POST', '/api/admin-users', { email, password })
  const client = createApiClient(service.url)
  await client.signIn({ email, password })
  return client
}

async function statusOf(client: ApiClient, path: string) {
  const response = await client.fetch(path)
  await response.arrayBuffer()
  return response.status
}

test('serves the full track to a Premium member, at once and in ranges', async () => {
  const whole = await premium.fetch(track.audio_url)
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(whole.status).toBe(200)
  expect(whole.headers.get('content-type')).toBe('audio/mp4')
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  const part = await premium.fetch(track.audio_url, { headers: { range: 'bytes=1000-1999' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 1000-1999/${bytes.length}`)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(1000, 2000))
})

test('serves a free member the preview, and returns 403 for the full track', async () => {
  const refused = await free.send('GET', track.audio_url)
  expect(refused.status).toBe(403)
  expect(refused.body['error']).toMatchObject({
    code: 'premium_required',
    message: 'Full playback available with Premium',
  })
  expect(await statusOf(free, track.preview_url!)).toBe(200)
  // Requests with a range and HEAD requests are rejected, too.
  const range = await free.fetch(track.audio_url, { headers: { range: 'bytes=0-1' } })
  expect(range.status).toBe(403)
  const head = await free.fetch(track.audio_url, { method: 'HEAD' })
  expect(head.status).toBe(403)
})

test('serves the preview from its own file, which is much shorter than the track', async () => {
  const preview = await free.fetch(track.preview_url!)
  const whole = await premium.fetch(track.audio_url)
  const previewBytes = (await preview.arrayBuffer()).byteLength
  expect(previewBytes).toBeLessThan((await whole.arrayBuffer()).byteLength / 2)
  expect(previewBytes).toBeGreaterThan(10_000)
})

test('returns 401 for audio requests without a session', async () => {
  expect(await statusOf(nobody, track.audio_url)).toBe(401)
  expect(await statusOf(nobody, hidden.audio_url)).toBe(401)
})

test('returns 404 for an unpublished track, even with Premium', async () => {
  for (const path of [hidden.audio_url, hidden.preview_url!, `/api/tracks/${hidden.id}`]) {
    expect(await statusOf(premium, path), path).toBe(404)
  }
  const list = await premium.send('GET', '/api/tracks?q=Not%20Yet')
  expect(list.body['data']).toEqual([])
})

test('serves no audio at the paths of the storage, even if they are known', async () => {
  const keys = (await readdir(join(service.dataDir, 'storage'), { recursive: true }))
    .map((key) => String(key))
    .filter((key) => key.includes('.'))
  expect(keys.length).toBeGreaterThan(3)
  for (const key of keys.filter((name) => name.endsWith('.m4a') || name.endsWith('.wav'))) {
    for (const base of [
      '/',
      '/media/',
      '/api/',
      '/storage/',
      '/media/../storage/',
      '/media/%2e%2e/',
    ]) {
      const response = await premium.fetch(`${base}${key}`)
      const type = response.headers.get('content-type') ?? ''
      await response.arrayBuffer()
      expect(type, `${base}${key}`).not.toMatch(/audio|octet/)
    }
  }
})

test('accepts an upload token once, and only for the upload it was issued for', async () => {
  const wav = makeWav(1, 220)
  const mine = await requestUpload(owner, 'a.wav', 'audio/wav', wav.length)
  const other = await requestUpload(owner, 'b.wav', 'audio/wav', wav.length)
  const put = (path: string, token: string) =>
    owner.fetch(path, {
      method: 'PUT',
      headers: { 'upload-token': token, 'content-type': 'audio/wav' },
      body: new Uint8Array(wav),
    })
  expect((await put(other.uploadUrl, mine.uploadToken)).status).toBe(403)
  expect((await put(mine.uploadUrl, 'x'.repeat(43))).status).toBe(403)
  expect((await put(mine.uploadUrl, mine.uploadToken)).status).toBe(204)
  expect((await put(mine.uploadUrl, mine.uploadToken)).status).toBe(409)
  expect(await statusOf(owner, mine.publicUrl)).toBe(404)
  // Members can't upload audio.
  const refused = await premium.send('POST', '/api/upload-signed-url', {
    bucket: 'audio',
    filename: 'c.wav',
    mime: 'audio/wav',
    size: 10,
  })
  expect(refused.status).toBe(403)
})

test('rejects an HTML page named as an audio file with a clear error', async () => {
  const page = Buffer.from('<!doctype html><title>Not music</title><script>alert(1)</script>')
  const upload = await requestUpload(owner, 'song.mp3', 'audio/mpeg', page.length)
  await owner.fetch(upload.uploadUrl, {
    method: 'PUT',
    headers: { 'upload-token': upload.uploadToken, 'content-type': 'audio/mpeg' },
    body: new Uint8Array(page),
  })
  const created = await owner.send('POST', '/api/admin-tracks', {
    action: 'create',
    title: 'Song',
    artist: 'Somebody',
    audio_path: upload.path,
  })
  expect(created.status).toBe(415)
  expect(created.body['error']).toMatchObject({ code: 'unsupported_media' })
  const list = await owner.send('GET', '/api/admin-tracks?q=Song')
  expect(list.body['data']).toEqual([])
})

test('returns 403 for full tracks as soon as Premium ends, and ends the session of a banned member', async () => {
  const { body } = await owner.send('GET', '/api/admin-users?q=premium@example.com')
  const [person] = body['data'] as { id: string }[]
  expect(await statusOf(premium, track.audio_url)).toBe(200)
  await owner.send('PATCH', `/api/admin-users/${person!.id}/subscription`, {
    subscription_tier: 'free',
  })
  await expect.poll(() => statusOf(premium, track.audio_url)).toBe(403)
  await owner.send('POST', `/api/admin-users/${person!.id}/ban`)
  await expect.poll(() => statusOf(premium, '/api/tracks')).toBe(401)
})

test('returns 404 for invalid and unknown track ids', async () => {
  for (const id of [randomUUID(), 'x', '..%2f..%2fetc%2fpasswd', '%00']) {
    expect(await statusOf(free, `/api/tracks/${id}/stream`), id).toBe(404)
  }
})
