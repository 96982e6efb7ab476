// Audio for Subsonic apps: the plan decides which file is sent, regardless of the request's parameters. Running streams
// end when the device key is revoked.
import { randomBytes } from 'node:crypto'
import { get as request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeDeviceKey } from '#contract/device-keys.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { makeKey, makeListener } from './testing/listener.ts'
import { putRenditions } from '../../testing/put-renditions.ts'

const sizes = { standard: 3000, high: 5000, preview: 1000, long: 32 * 1024 * 1024 }

let app: TestApp
let song: string
/** A song whose files are larger than the connection's buffers, so that a stream stays open. */
let longSong: string

beforeAll(async () => {
  app = await createTestApp()
  song = await makeSong(sizes)
  longSong = await makeSong({ standard: sizes.long, high: sizes.long, preview: sizes.long })
})
afterAll(() => app.close())

async function makeSong(bytes: { standard: number; high: number; preview: number }) {
  const { db } = app.services
  const { id } = await db.query
    .insertInto('tracks')
    .values({ title: 'A', artist: 'B', is_published: true, processing_status: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const file = (kind: keyof typeof bytes) => randomBytes(bytes[kind])
  const files = { standard: file('standard'), high: file('high'), preview: file('preview') }
  await putRenditions(app.services, id, files, 200)
  return id
}

const buildUrl = (name: string, key: string, more = '') =>
  `${app.url}/rest/${name}?apiKey=${key}&c=Test&id=tr-${song}${more}`

async function fetchSize(url: string): Promise<number | string> {
  const response = await fetch(url)
  const bytes = await response.arrayBuffer()
  const isAudio = response.headers.get('content-type') === 'audio/mp4'
  return isAudio
    ? bytes.byteLength
    : (/code="(\d+)"/.exec(Buffer.from(bytes).toString())?.[1] ?? '')
}

test('Premium members get the high-quality file, or the standard file if they request a low bit rate', async () => {
  const { key } = await makeListener(app, 'premium')
  expect(await fetchSize(buildUrl('stream', key))).toBe(sizes.high)
  expect(await fetchSize(buildUrl('stream', key, '&format=raw&maxBitRate=0'))).toBe(sizes.high)
  expect(await fetchSize(buildUrl('stream', key, '&maxBitRate=320'))).toBe(sizes.high)
  expect(await fetchSize(buildUrl('stream', key, '&maxBitRate=128'))).toBe(sizes.standard)
  expect(await fetchSize(buildUrl('download', key))).toBe(sizes.high)
  const range = await fetch(buildUrl('stream', key), { headers: { range: 'bytes=10-19' } })
  expect([range.status, (await range.arrayBuffer()).byteLength]).toEqual([206, 10])
})

test('free members never get more than the preview of a song', async () => {
  const { key } = await makeListener(app, 'free')
  for (const more of [
    '',
    '&format=raw',
    '&format=mp3&maxBitRate=320',
    '&keep=true',
    '&player=0191a0c0-0000-7000-8000-00000000dead',
    '&timeOffset=100',
    `&id=tr-${song}`,
  ]) {
    expect(await fetchSize(buildUrl('stream', key, more))).toBe(sizes.preview)
    expect(await fetchSize(buildUrl('stream.view', key, more))).toBe(sizes.preview)
    expect(await fetchSize(buildUrl('download', key, more))).toBe('50')
  }
  const form = new URLSearchParams({ apiKey: key, id: `tr-${song}` })
  const posted = await fetch(`${app.url}/rest/stream`, { method: 'POST', body: form })
  expect((await posted.arrayBuffer()).byteLength).toBe(sizes.preview)
  // The device key is accepted only below /rest.
  for (const headers of [{ authorization: `Bearer ${key}` }, { cookie: `apiKey=${key}` }]) {
    const whole = await fetch(`${app.url}/api/tracks/${song}/stream?apiKey=${key}`, { headers })
    expect(whole.status).toBe(401)
  }
  const shown = await (await fetch(buildUrl('getSong', key, '&f=json'))).json()
  expect(shown).toMatchObject({
    'subsonic-response': { song: { size: sizes.preview, duration: 45 } },
  })
})

test('a changed plan or maintenance mode applies to the next request', async () => {
  const person = await makeListener(app, 'free')
  const setPlan = (subscription_status: 'active' | 'inactive') =>
    app.services.db.query
      .updateTable('profiles')
      .set({ subscription_status })
      .where('id', '=', person.id)
      .execute()
  await setPlan('active')
  await expect.poll(() => fetchSize(buildUrl('stream', person.key))).toBe(sizes.high)
  await setPlan('inactive')
  await expect.poll(() => fetchSize(buildUrl('stream', person.key))).toBe(sizes.preview)

  const admin = await app.makePerson({ role: 'admin' })
  const { updated_at: _, version: __, ...settings } = (await admin.call(getSettings, {})).body
  const save = (maintenance_mode: boolean) =>
    admin.call(updateSettings, {
      body: { action: 'update', settings: { ...settings, maintenance_mode } },
    })
  await save(true)
  expect(await fetchSize(buildUrl('stream', person.key))).toBe('0')
  await save(false)
  expect(await fetchSize(buildUrl('stream', person.key))).toBe(sizes.preview)
})

test("a running stream ends when its key is revoked, and streams of the person's other apps continue", async () => {
  const person = await makeListener(app, 'premium')
  const other = await makeKey(person)
  const open = async (key: string) => {
    const url = `${app.url}/rest/stream?apiKey=${key}&id=tr-${longSong}`
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, resolve).on('error', reject)
    })
    response.on('error', () => {})
    return response
  }
  const running = () => app.services.files.stats().activeResponses
  const responses = [await open(person.key), await open(other.key)]
  expect(running()).toBe(2)
  await person.call(revokeDeviceKey, { params: { id: person.keyId } })
  await expect.poll(running, { timeout: 5000 }).toBe(1)
  for (const response of responses) response.destroy()
  expect(await fetchSize(buildUrl('stream', person.key))).toBe('44')
})

test('requesting songs ahead of playback does not stop another player', async () => {
  const person = await makeListener(app, 'free')
  const tablet = await makeKey(person)
  const report = (key: string, state: string) =>
    fetch(
      `${app.url}/rest/reportPlayback?apiKey=${key}&f=json&mediaId=tr-${song}&mediaType=song&positionMs=0&state=${state}`,
    ).then((response) => response.text())
  expect(await report(person.key, 'starting')).toContain('"status":"ok"')
  for (let i = 0; i < 3; i++)
    expect(await fetchSize(buildUrl('stream', tablet.key))).toBe(sizes.preview)
  expect(await report(person.key, 'playing')).toContain('"status":"ok"')
})
