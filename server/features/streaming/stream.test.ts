// Access to audio over HTTP with real sessions: full tracks are sent only to people with the right to them.
import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ErrorBody } from '#contract/errors.ts'
import { transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let server: TestApp
let free: Person
let premium: Person
let admin: Person
type Who = 'free' | 'premium' | 'admin' | 'nobody' | 'forger'

function callerOf(who: Who): { cookie: string } | null {
  if (who === 'nobody') return null
  // A real cookie whose signature was forged.
  if (who === 'forger') {
    const cookie = premium.cookie.replace(/(session_token=[^;]+)[^;]{8}/, '$1AAAAAAAA')
    return { cookie }
  }
  return { free, premium, admin }[who]
}

interface TestTrack {
  id: string
  key: (kind: Kind) => string
  bytes: Record<Kind, Buffer>
}
type Kind = 'standard' | 'high' | 'preview'

const tracks: Record<'song' | 'other' | 'whole' | 'draft' | 'old', TestTrack> = {} as never

beforeAll(async () => {
  server = await createTestApp()
  free = await server.makePerson()
  premium = await server.makePerson({ tier: 'monthly' })
  admin = await server.makePerson({ role: 'admin' })
  tracks.old = await makeTrack({ created_at: '2020-01-01T00:00:00Z' })
  // Create enough tracks that the old track is not among the six newest.
  for (let i = 0; i < 4; i++) await makeTrack({})
  tracks.draft = await makeTrack({ is_published: false })
  tracks.whole = await makeTrack({ kinds: ['standard', 'high'] })
  tracks.other = await makeTrack({})
  tracks.song = await makeTrack({})
  await notify(server.services.db, 'tracks')
})
afterAll(() => server.close())

async function makeTrack({
  is_published = true,
  kinds = ['standard', 'high', 'preview'],
  created_at = new Date().toISOString(),
}: {
  is_published?: boolean
  kinds?: Kind[]
  created_at?: string
}): Promise<TestTrack> {
  const { db, storage } = server.services
  const { id } = await db.query
    .insertInto('tracks')
    .values({ title: 'A', artist: 'B', is_published, processing_status: 'ready', created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const bytes = { standard: randomBytes(3000), high: randomBytes(5000), preview: randomBytes(1000) }
  const key = (kind: Kind) => `audio/${id}/${kind}.m4a`
  for (const kind of kinds) {
    const { etag } = await storage.put(key(kind), bytes[kind])
    await db.query
      .insertInto('renditions')
      .values({
        track_id: id,
        kind,
        storage_key: key(kind),
        mime: 'audio/mp4',
        byte_size: bytes[kind].length,
        duration_seconds: 1,
        etag,
        preview_length_seconds: kind === 'preview' ? 45 : null,
      })
      .execute()
  }
  return { id, key, bytes }
}

interface Heard {
  status: number
  headers: Record<string, unknown>
  bytes: Buffer
  code: string | null
}

/** Requests a path unchanged, because fetch would normalize `..`. */
function requestAudio(
  who: { cookie: string } | null,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const cookie = who ? { cookie: who.cookie } : {}
    const request = get({ hostname, port, path, method, headers: { ...cookie, ...headers } })
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const isJson = String(response.headers['content-type']).startsWith('application/json')
        const body = isJson && bytes.length > 0 ? (JSON.parse(bytes.toString()) as ErrorBody) : null
        const code = body?.error?.code ?? null
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, code })
      })
    })
  })
}

const getStreamPath = (track: TestTrack) => `/api/tracks/${track.id}/stream`
const getPreviewPath = (track: TestTrack) => `/api/tracks/${track.id}/preview`

describe('the full track', () => {
  test.each([
    ['a Premium member, in high quality', 'premium', 'song', 'high'],
    ['an admin, in high quality', 'admin', 'song', 'high'],
    ['an admin, before it is published', 'admin', 'draft', 'high'],
    ['a Premium member, if there is no preview', 'premium', 'whole', 'high'],
    ['a free member, in standard quality, if there is no preview', 'free', 'whole', 'standard'],
  ] as const)('is sent to %s', async (_whom, who, name, quality) => {
    const result = await requestAudio(callerOf(who), getStreamPath(tracks[name]))
    expect(result.status).toBe(200)
    expect(result.bytes.equals(tracks[name].bytes[quality])).toBe(true)
    expect(result.headers).toMatchObject({
      'content-type': 'audio/mp4',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      vary: 'cookie',
    })
  })

  test.each([
    ['a visitor', 'nobody', 'song', 401, 'unauthenticated'],
    ['a visitor, even without a preview', 'nobody', 'whole', 401, 'unauthenticated'],
    ['a request with a forged cookie', 'forger', 'song', 401, 'unauthenticated'],
    ['a free member', 'free', 'song', 403, 'premium_required'],
    ['a Premium member, before it is published', 'premium', 'draft', 404, 'track_not_found'],
    ['a free member, before it is published', 'free', 'draft', 404, 'track_not_found'],
  ] as const)('is refused to %s, for every range', async (_whom, who, name, status, code) => {
    const etag = String((await requestAudio(admin, getStreamPath(tracks[name]))).headers.etag)
    const parts: Record<string, string>[] = [
      {},
      { range: 'bytes=0-0' },
      { range: 'bytes=99999-' },
      { 'if-none-match': etag },
    ]
    for (const headers of parts) {
      const result = await requestAudio(callerOf(who), getStreamPath(tracks[name]), headers)
      expect([result.status, result.code]).toEqual([status, code])
      expect(result.headers).not.toHaveProperty('etag')
      expect(result.headers).not.toHaveProperty('content-range')
      expect(result.headers['cache-control']).toBe('no-store')
    }
    const head = await requestAudio(callerOf(who), getStreamPath(tracks[name]), {}, 'HEAD')
    expect([head.status, head.headers.etag]).toEqual([status, undefined])
  })

  test('is sent in ranges', async () => {
    const result = await requestAudio(premium, getStreamPath(tracks.song), {
      range: 'bytes=100-199',
    })
    expect([result.status, result.headers['content-range']]).toEqual([206, 'bytes 100-199/5000'])
    expect(result.bytes.equals(tracks.song.bytes.high.subarray(100, 200))).toBe(true)
    const outside = await requestAudio(premium, getStreamPath(tracks.song), {
      range: 'bytes=5000-',
    })
    expect([outside.status, outside.headers['content-range']]).toEqual([416, 'bytes */5000'])
  })

  test.each([
    '00000000-0000-7000-8000-000000000000',
    'not-a-track',
    '%00',
    '..%2f..%2fetc%2fpasswd',
  ])('returns 404 for %s', async (id) => {
    expect((await requestAudio(premium, `/api/tracks/${id}/stream`)).status).toBe(404)
  })

  test('cannot be requested by its storage path', async () => {
    const { id, key, bytes } = tracks.song
    const stored = key('high')
    const guesses = [
      `/${stored}`,
      `/media/${stored}`,
      `/storage/${stored}`,
      `/data/storage/objects/${stored}`,
      `/api/${stored}`,
      `/api/tracks/${id}/high.m4a`,
      `/media/covers/${id}/high.m4a`,
      `/media/covers/../${stored}`,
      `/media/covers/${id}/..%2f..%2f..%2f${encodeURIComponent(stored)}`,
      `/media/audio/${id}/384.webp`,
      `/api/tracks/${id}/preview/../stream`,
      `/api/tracks/${id}/stream?quality=high&token=1`,
    ]
    for (const path of guesses) {
      const result = await requestAudio(free, path)
      expect([path, result.status >= 400]).toEqual([path, true])
      expect(result.bytes.includes(bytes.high.subarray(0, 32))).toBe(false)
    }
  })

  test('is refused once the subscription ends, even while the track is playing', async () => {
    const lapsing = await server.makePerson({ tier: 'monthly' })
    const before = await requestAudio(lapsing, getStreamPath(tracks.whole), { range: 'bytes=0-99' })
    expect(before.status).toBe(206)
    await server.services.db.query
      .updateTable('profiles')
      .set({ subscription_status: 'inactive', subscription_tier: 'free' })
      .where('id', '=', lapsing.id)
      .execute()
    await vi.waitFor(async () =>
      expect((await requestAudio(lapsing, getStreamPath(tracks.song))).code).toBe(
        'premium_required',
      ),
    )
    // If a track has no preview, free members get the standard quality after Premium ends. They get the whole file, so
    // that a player never mixes ranges of two files.
    const after = await requestAudio(lapsing, getStreamPath(tracks.whole), {
      range: 'bytes=100-199',
      'if-range': String(before.headers.etag),
    })
    expect(after.status).toBe(200)
    expect(after.bytes.equals(tracks.whole.bytes.standard)).toBe(true)
  })

  test('is refused as soon as this instance is notified that the track was unpublished', async () => {
    const track = await makeTrack({})
    expect((await requestAudio(premium, getStreamPath(track))).status).toBe(200)
    await transaction(server.services.db, async (trx) => {
      const unpublished = trx.query.updateTable('tracks').set({ is_published: false })
      await unpublished.where('id', '=', track.id).execute()
      await notify(trx, 'tracks', track.id)
    })
    await vi.waitFor(async () =>
      expect((await requestAudio(premium, getStreamPath(track))).code).toBe('track_not_found'),
    )
    expect((await requestAudio(premium, getPreviewPath(track))).code).toBe('track_not_found')
    expect((await requestAudio(free, getStreamPath(track))).code).toBe('track_not_found')
  })

  test("is sent in a lower quality if the file in the plan's quality is missing", async () => {
    const track = await makeTrack({})
    await server.services.storage.delete(track.key('high'))
    const result = await requestAudio(premium, getStreamPath(track))
    expect(result.status).toBe(200)
    expect(result.bytes.equals(track.bytes.standard)).toBe(true)
    const lost = await makeTrack({})
    await server.services.storage.delete(lost.key('high'))
    await server.services.storage.delete(lost.key('standard'))
    expect(await requestAudio(premium, getStreamPath(lost))).toMatchObject({
      status: 404,
      code: 'track_file_missing',
    })
    expect((await requestAudio(free, getStreamPath(lost))).code).toBe('premium_required')
  })
})

describe('the preview', () => {
  test.each([
    ['a free member', 'free', 'song'],
    ['a Premium member', 'premium', 'song'],
    ['a member, even of an old track', 'free', 'old'],
    ['a visitor, if the track is in the showcase', 'nobody', 'song'],
    ['an admin, before it is published', 'admin', 'draft'],
  ] as const)('is sent to %s', async (_whom, who, name) => {
    const result = await requestAudio(callerOf(who), getPreviewPath(tracks[name]), {
      range: 'bytes=0-',
    })
    expect(result.status).toBe(206)
    expect(result.bytes.equals(tracks[name].bytes.preview)).toBe(true)
  })

  test.each([
    ['a visitor, if the track is not in the showcase', 'nobody', 'old', 401, 'unauthenticated'],
    ['a visitor, before it is published', 'nobody', 'draft', 401, 'unauthenticated'],
    ['a member, before it is published', 'premium', 'draft', 404, 'track_not_found'],
    ['a visitor, if there is none', 'nobody', 'whole', 401, 'unauthenticated'],
    ['a member, if there is none', 'free', 'whole', 404, 'track_not_found'],
  ] as const)('is refused to %s', async (_whom, who, name, status, code) => {
    const result = await requestAudio(callerOf(who), getPreviewPath(tracks[name]))
    expect([result.status, result.code]).toEqual([status, code])
  })
})

describe('the tracks that visitors can preview', () => {
  const showcaseIds = async () => {
    const { bytes } = await requestAudio(null, '/api/showcase')
    return (JSON.parse(bytes.toString()) as { data: { id: string }[] }).data.map(({ id }) => id)
  }

  test('are the six newest published tracks with a preview', async () => {
    const ids = await showcaseIds()
    expect(ids).toHaveLength(6)
    expect(ids).toContain(tracks.song.id)
    for (const name of ['old', 'draft', 'whole'] as const)
      expect(ids).not.toContain(tracks[name].id)
  })

  test('change when tracks are published or deleted, and so does access to their previews', async () => {
    const newest = await makeTrack({ created_at: '2100-01-01T00:00:00Z' })
    await notify(server.services.db, 'tracks', newest.id)
    await vi.waitFor(async () => expect((await showcaseIds())[0]).toBe(newest.id))
    expect((await requestAudio(null, getPreviewPath(newest))).status).toBe(200)

    await server.services.db.query.deleteFrom('tracks').where('id', '=', newest.id).execute()
    await notify(server.services.db, 'tracks', newest.id)
    await vi.waitFor(async () => expect(await showcaseIds()).not.toContain(newest.id))
    expect((await requestAudio(null, getPreviewPath(newest))).status).toBe(401)
  })
})

describe('pictures', () => {
  test('are public, may be cached permanently, and are available in fixed sizes', async () => {
    const id = '0190a0a0-0000-7000-8000-000000000001'
    await server.services.storage.put(`covers/${id}/384.webp`, Buffer.from('picture'))
    await server.services.storage.put(`avatars/${id}/128.avif`, Buffer.from('face'))
    const cover = await requestAudio(null, `/media/covers/${id}/384.webp`)
    expect([cover.status, cover.bytes.toString(), cover.headers['content-type']]).toEqual([
      200,
      'picture',
      'image/webp',
    ])
    expect(cover.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const avatar = await requestAudio(null, `/media/avatars/${id}/128.avif`)
    expect([avatar.status, avatar.headers['content-type']]).toEqual([200, 'image/avif'])
    for (const path of [
      `covers/${id}/385.webp`,
      `covers/${id}/384.png`,
      `covers/x/384.webp`,
      `sources/${id}/384.webp`,
    ]) {
      expect((await requestAudio(null, `/media/${path}`)).code).toBe('not_found')
    }
  })
})
