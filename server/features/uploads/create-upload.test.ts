// Requesting an upload: which roles, buckets, sizes and file names are allowed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createUploadTestApp, hourMs, type UploadTestApp } from '../../testing/upload-test-app.ts'

let uploads: UploadTestApp

beforeAll(async () => {
  uploads = await createUploadTestApp()
})
afterAll(() => uploads.close())
beforeEach(() => {
  uploads.clock.passedMs = 0
})

test('admins may upload audio, every member may upload covers, and visitors may upload nothing', async () => {
  expect((await uploads.ask({}, uploads.server.nobody)).code).toBe('unauthenticated')
  expect((await uploads.ask({}, uploads.member)).code).toBe('forbidden')
  const cover = { bucket: 'covers', filename: 'a.png', mime: 'image/png' }
  expect((await uploads.ask(cover, uploads.member)).status).toBe(201)
  expect((await uploads.ask(cover, uploads.server.nobody)).code).toBe('unauthenticated')
})

test.each([
  ['audio', 'audio/mpeg', 'a.mp3', null],
  ['audio', 'audio/x-flac', 'no extension', null],
  ['audio', 'application/ogg', 'a.ogg', null],
  ['audio', 'application/octet-stream', 'a.FLAC', null],
  ['audio', 'video/mp4', 'a.m4a', null],
  ['audio', 'application/octet-stream', 'a.exe', 'unsupported_media'],
  ['audio', 'application/ogg', 'a', 'unsupported_media'],
  ['audio', 'image/png', 'a.mp3', 'unsupported_media'],
  ['audio', 'application/javascript', 'a.mp3', 'unsupported_media'],
  ['audio', 'text/html', 'a.mp3', 'unsupported_media'],
  ['covers', 'image/png', 'a.png', null],
  ['covers', 'audio/mpeg', 'a.png', 'unsupported_image'],
  ['covers', 'application/octet-stream', 'a.png', 'unsupported_image'],
  ['avatars', 'image/png', 'a.png', 'invalid_input'],
])('an upload to bucket %s with type %s and name %s: %s', async (bucket, mime, filename, code) => {
  expect((await uploads.ask({ bucket, mime, filename })).code ?? null).toBe(code)
})

test.each([
  ['audio', 'audio/wav', 2 * 1024 ** 3, null],
  ['audio', 'audio/wav', 2 * 1024 ** 3 + 1, 'payload_too_large'],
  ['covers', 'image/png', 20 * 1024 ** 2 + 1, 'payload_too_large'],
  ['covers', 'image/png', 0, 'file_empty'],
  ['covers', 'image/png', -1, 'invalid_input'],
  ['covers', 'image/png', 1.5, 'invalid_input'],
])('an upload to bucket %s with type %s and %d bytes: %s', async (bucket, mime, size, code) => {
  expect((await uploads.ask({ bucket, mime, size })).code ?? null).toBe(code)
})

test.each([
  ['Tränen (Mix 2).WAV', 'tranen-mix-2.wav', 'Tränen (Mix 2).WAV'],
  ['../../etc/passwd', 'passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini', 'boot.ini'],
  ['/etc/cron.d/evil.wav', 'evil.wav', 'evil.wav'],
  ['..', 'file', '..'],
  ['.htaccess', 'htaccess', '.htaccess'],
  ['a\u0007b\r\nSet-Cookie: x.wav', 'abset-cookie-x.wav', 'abSet-Cookie: x.wav'],
  [
    '<img src=x onerror=alert(1)>.wav',
    'img-src-x-onerror-alert-1.wav',
    '<img src=x onerror=alert(1)>.wav',
  ],
  ['\ud800.wav', 'file.wav', '\ufffd.wav'],
  ['音楽.mp3', 'file.mp3', '音楽.mp3'],
  ['%2e%2e%2fx.wav', '2e-2e-2fx.wav', '%2e%2e%2fx.wav'],
  ['   ', 'file', 'file'],
  [`${'a'.repeat(250)}.wav`, `${'a'.repeat(80)}.wav`, `${'a'.repeat(250)}.wav`],
])('sanitizes the file name %j', async (filename, safe, kept) => {
  const signed = await uploads.sign({ filename, mime: 'audio/wav' })
  expect(signed.path).toMatch(/^uploads\/audio\/[0-9a-f-]{36}\/[^/]+$/)
  expect(signed.path.split('/').at(-1)).toBe(safe)
  expect((await uploads.rowOf(signed))?.filename).toBe(kept)
})

test('the upload token is long and random, and only its hash is stored', async () => {
  const [one, other] = [await uploads.sign(), await uploads.sign()]
  expect(Buffer.from(one.uploadToken, 'base64url')).toHaveLength(32)
  expect(one.uploadToken).not.toBe(other.uploadToken)
  expect(JSON.stringify(await uploads.rowOf(one))).not.toContain(one.uploadToken)
})

test("limits the number of a member's unused covers, so that they cannot fill the disk", async () => {
  const hoarder = await uploads.server.makePerson()
  const cover = { bucket: 'covers', filename: 'a.png', mime: 'image/png' }
  const responses = await Promise.all(Array.from({ length: 40 }, () => uploads.ask(cover, hoarder)))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(30)
  expect((await uploads.ask(cover, hoarder)).code).toBe('rate_limited')
  uploads.clock.passedMs = 2 * hourMs
  expect((await uploads.ask(cover, hoarder)).status).toBe(201)
})
