// With an object store, people who may play a file are redirected to a signed URL, and others are rejected.
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { S3Server } from '../../testing/storage/s3-server.ts'
import { startS3StandIn } from '../../testing/storage/s3-stand-in.ts'
import { createApp } from '../../app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let store: S3Server
let server: TestApp
let free: Person
let premium: Person
let trackId: string

beforeAll(async () => {
  store = await startS3StandIn()
  server = await createTestApp({ s3: store.options, s3Delivery: 'redirect' })
  free = await server.makePerson()
  premium = await server.makePerson({ tier: 'monthly' })
  const { db, storage } = server.services
  const track = await db.query
    .insertInto('tracks')
    .values({ title: 'A', artist: 'B', is_published: true, processing_status: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  trackId = track.id
  for (const kind of ['standard', 'high', 'preview'] as const) {
    const storage_key = `audio/${trackId}/${kind}.m4a`
    const stat = await storage.put(storage_key, Buffer.from(`the bytes of ${kind}`))
    await db.query
      .insertInto('renditions')
      .values({
        track_id: trackId,
        kind,
        storage_key,
        mime: 'audio/mp4',
        byte_size: stat.byteSize,
        duration_seconds: 1,
        etag: stat.etag,
        preview_length_seconds: kind === 'preview' ? 45 : null,
      })
      .execute()
  }
})
afterAll(async () => {
  await server.close()
  await store.close()
})

const requestAudio = (who: { cookie: string }, path: string) =>
  fetch(`${server.url}/api/tracks/${trackId}/${path}`, {
    headers: who.cookie ? { cookie: who.cookie } : {},
    redirect: 'manual',
  })

test('redirects a Premium member to the full track with an expiring URL', async () => {
  const response = await requestAudio(premium, 'stream')
  expect(response.status).toBe(302)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const address = new URL(response.headers.get('location')!)
  expect(address.origin).toBe(new URL(store.options.endpoint!).origin)
  expect(Number(address.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(900)
  expect(await (await fetch(address)).text()).toBe('the bytes of high')
})

test('redirects a free member to the preview only', async () => {
  const preview = await requestAudio(free, 'preview')
  expect(await (await fetch(preview.headers.get('location')!)).text()).toBe('the bytes of preview')
  const whole = await requestAudio(free, 'stream')
  expect([whole.status, whole.headers.get('location')]).toEqual([403, null])
})

test('sends downloads for offline playback directly, and only to people who may download', async () => {
  const whole = await requestAudio(premium, 'stream?keep=true')
  expect([whole.status, await whole.text()]).toEqual([200, 'the bytes of high'])
  expect((await requestAudio(free, 'stream?keep=true')).status).toBe(403)
})

test('returns 401 to visitors instead of a redirect', async () => {
  const whole = await requestAudio(server.nobody, 'stream')
  expect([whole.status, whole.headers.get('location')]).toEqual([401, null])
})

test('the Content-Security-Policy allows the object store for media and downloads but not for scripts', async () => {
  const response = await fetch(`${server.url}/healthz`)
  const policy = response.headers.get('content-security-policy')!
  const { origin } = new URL(store.options.endpoint!)
  expect(policy).toContain(`media-src 'self' blob: ${origin}`)
  expect(policy).toContain(`connect-src 'self' ${origin}`)
  expect(policy).toContain("script-src 'self';")
})

test('redirects people who may play a track to the CDN if one is configured', async () => {
  const signing = { kind: 'hmac', secret: 'of both' } as const
  const cdn = { url: 'https://audio.example.com', signing }
  const services = { ...server.services, config: { ...server.services.config, cdn } }
  const app = await createApp(services, { log: pino({ level: 'fatal' }), webFolder: null })
  try {
    const url = `/api/tracks/${trackId}/stream`
    const cdnResponse = await app.inject({ url, headers: { cookie: premium.cookie } })
    expect(cdnResponse.statusCode).toBe(302)
    expect(cdnResponse.headers.location).toMatch(
      new RegExp(`^https://audio.example.com/audio/${trackId}/high.m4a\\?verify=\\d+-`),
    )
    expect((await app.inject({ url, headers: { cookie: free.cookie } })).statusCode).toBe(403)
    const policy = String(cdnResponse.headers['content-security-policy'])
    const { origin } = new URL(store.options.endpoint!)
    expect(policy).toContain("media-src 'self' blob: https://audio.example.com;")
    expect(policy).toContain(`connect-src 'self' https://audio.example.com ${origin};`)
  } finally {
    await app.close()
  }
})
