// Tries to get a full song with a free account through every call of the Subsonic API.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { containsPartOf, createFullSong, type FullSong } from '../../testing/whole-songs.ts'
import { subsonicEndpoints } from './endpoints.ts'
import { wrongKeyLimit } from './sign-in.ts'
import { encode, makeListener, type Listener, type Parameters } from './testing/listener.ts'

let app: TestApp
let free: Listener
let open: FullSong
/** A song that is Premium-only and has no preview. */
let closed: FullSong

beforeAll(async () => {
  app = await createTestApp()
  free = await makeListener(app, 'free')
  open = await createFullSong(app, 'members', ['standard', 'high', 'preview'])
  closed = await createFullSong(app, 'premium', ['standard', 'high'])
})
afterAll(() => app.close())

const containsAudio = (body: Buffer) => containsPartOf([open, closed], body)

async function send(
  name: string,
  parameters: Parameters,
  {
    method = 'GET',
    headers = {},
    key = free.key,
  }: { method?: string; headers?: Record<string, string>; key?: string } = {},
) {
  const form = encode({ apiKey: key, c: 'Test', ...parameters })
  const isPost = method === 'POST'
  const response = await fetch(`${app.url}/rest/${name}${isPost ? '' : `?${form}`}`, {
    method,
    redirect: 'manual',
    headers: {
      ...headers,
      ...(isPost && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(isPost && { body: form }),
  })
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
}

/** Parameters that are tried one at a time and all together. */
const variants: Record<string, string>[] = [
  {},
  { format: 'raw' },
  { format: 'mp3' },
  { maxBitRate: '0' },
  { maxBitRate: '320' },
  { maxBitRate: '64' },
  { timeOffset: '60' },
  { offset: '2000' },
  { estimateContentLength: 'true' },
  { converted: 'false' },
  { size: '1920x1080' },
  { keep: 'true' },
  { quality: 'high' },
  { kind: 'standard' },
  { audience: 'everyone' },
  { token: 'x', press: 'x', feed: 'x' },
  { device_id: 'x', player: 'x' },
]
const allVariants = Object.assign({}, ...variants) as Record<string, string>

const ranges: Record<string, string>[] = [
  {},
  { range: 'bytes=0-' },
  { range: 'bytes=2000-3000' },
  { range: 'bytes=-500' },
  { range: 'bytes=0-1,100-4095' },
  { range: 'bytes=0-', 'if-range': '"x"' },
]

const makeIds = ({ id }: FullSong) => [
  `tr-${id}`,
  `TR-${id.toUpperCase()}`,
  `al-${id}`,
  `co-${id}`,
  `pl-${id}`,
  id,
  `audio/${id}/high.m4a`,
  `../audio/${id}/high.m4a`,
  `tr-${id}/../../high`,
]

const sending = [
  'stream',
  'download',
  'getCoverArt',
  'getAvatar',
  'hls',
  'hls.m3u8',
  'getTranscodeStream',
]

test.each(sending)(
  '%s never sends a part of the full song, regardless of the parameters',
  async (name) => {
    for (const song of [open, closed]) {
      for (const id of makeIds(song)) {
        for (const variant of [{}, allVariants]) {
          for (const method of ['GET', 'POST', 'HEAD']) {
            expect(containsAudio((await send(name, { id, ...variant }, { method })).body)).toBe(
              false,
            )
          }
        }
      }
      const id = `tr-${song.id}`
      for (const variant of variants)
        expect(containsAudio((await send(name, { id, ...variant })).body)).toBe(false)
      for (const headers of ranges) {
        expect(containsAudio((await send(name, { id, format: 'raw' }, { headers })).body)).toBe(
          false,
        )
      }
    }
  },
)

test('the same requests send the full song to Premium members', async () => {
  const { key } = await makeListener(app, 'premium')
  for (const { id } of [open, closed]) {
    expect(containsAudio((await send('stream', { id: `tr-${id}` }, { key })).body)).toBe(true)
    expect(containsAudio((await send('download', { id: `tr-${id}` }, { key })).body)).toBe(true)
  }
})

test('free members get the preview, even if a parameter is repeated', async () => {
  const id = `tr-${open.id}`
  for (const variant of variants) {
    expect((await send('stream', { id, ...variant })).body.equals(open.preview!)).toBe(true)
  }
  const both = await send('stream', { id: [id, `tr-${closed.id}`] })
  expect(both.body.equals(open.preview!)).toBe(true)
  expect((await send('stream', { id: `tr-${closed.id}` })).body.toString()).toContain('code="50"')
})

test('no other call reveals a file, an audio URL or the length of the full song to a free member', async () => {
  for (const [name, { kind }] of subsonicEndpoints) {
    if (kind !== 'returns') continue
    const answers = await Promise.all(
      [open, closed].map((song) =>
        send(name, {
          f: 'json',
          id: `tr-${song.id}`,
          startSongId: `tr-${song.id}`,
          endSongId: `tr-${song.id}`,
          query: '',
          type: 'newest',
          size: '10',
        }),
      ),
    )
    for (const { body, status } of answers) {
      expect(status).toBe(200)
      expect(body.toString()).not.toMatch(/audio\/[0-9a-f-]{36}|\.m4a\?|\/stream|"duration":200/)
    }
  }
})

test('above the limit, responses to wrong device keys are delayed, and those to valid keys are not', async () => {
  const guess = () => fetch(`${app.url}/rest/ping?apiKey=aaaaa-bbbbb&c=Test&f=json`)
  for (let i = 0; i < wrongKeyLimit.count; i += 1) await (await guess()).arrayBuffer()
  const startMs = performance.now()
  expect(await (await guess()).text()).toContain('"code":44')
  expect(performance.now() - startMs).toBeGreaterThan(1500)
  expect((await send('ping', { f: 'json' })).body.toString()).toContain('"status":"ok"')
})
