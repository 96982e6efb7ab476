// Refusals, time limits and termination of tus uploads.
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  chunks,
  createUploadTestApp,
  hourMs,
  minuteMs,
  tusHeaders,
  type UploadTestApp,
} from '../../testing/upload-test-app.ts'

let uploads: UploadTestApp

beforeAll(async () => {
  uploads = await createUploadTestApp()
})
afterAll(() => uploads.close())
beforeEach(() => {
  uploads.clock.passedMs = 0
})

test.each([
  ['another size than announced', { size: 10 }, '11', 'payload_too_large'],
  ['more than its bucket takes', {}, String(2 * 1024 ** 3 + 1), 'payload_too_large'],
  ['nothing', {}, '0', 'upload_incomplete'],
  ['no number', {}, 'many', 'invalid_input'],
])('a tus upload cannot start with %s', async (_what, body, length, code) => {
  const signed = await uploads.sign(body)
  const answer = await uploads.send('POST', signed, null, {
    ...tusHeaders,
    'upload-length': length,
  })
  expect(answer.code).toBe(code)
  expect(answer.headers['tus-resumable']).toBe('1.0.0')
})

test('a tus upload refuses parts at a wrong offset, and more bytes than its size', async () => {
  const signed = await uploads.sign({ size: 20_000_000 })
  expect((await uploads.patch(signed, 0, Buffer.alloc(1000, 'a'))).headers).toMatchObject({
    'upload-offset': '1000',
    'tus-resumable': '1.0.0',
  })
  // Large parts, so that the response is sent while the client is still sending.
  expect(await uploads.patch(signed, 500, Buffer.alloc(15_000_000))).toMatchObject({
    status: 409,
    code: 'upload_offset',
  })
  expect(await uploads.patch(signed, 2000, Buffer.alloc(15_000_000))).toMatchObject({
    status: 409,
    code: 'upload_offset',
  })
  expect(await uploads.patch(signed, 1000, Buffer.alloc(20_000_000))).toMatchObject({
    status: 413,
    code: 'payload_too_large',
  })
  expect((await uploads.patch(signed, 1000, Readable.from(chunks(20_000_000)))).status).toBe(413)
  const { headers } = await uploads.head(signed)
  expect(Number(headers['upload-offset'])).toBeLessThan(20_000_000)
})

test('a tus upload can be terminated', async () => {
  const signed = await uploads.sign({ size: 1000 })
  await uploads.patch(signed, 0, Buffer.alloc(500))
  expect(await uploads.partials()).toContain(signed.id)
  expect((await uploads.send('DELETE', signed, null, tusHeaders)).status).toBe(204)
  expect(await uploads.partials()).not.toContain(signed.id)
  expect((await uploads.head(signed)).status).toBe(403)
})

test('a tus upload has an hour from each part on, and a day in total', async () => {
  const signed = await uploads.sign({ size: 1000 })
  const expiry = async () =>
    Date.parse(String((await uploads.head(signed)).headers['upload-expires'])) - Date.now()
  expect(await expiry()).toBeLessThanOrEqual(hourMs)
  for (let part = 0; part < 28; part++) {
    uploads.clock.passedMs = part * 50 * minuteMs
    expect(await uploads.patch(signed, part, Buffer.from('x'))).toMatchObject({ status: 204 })
  }
  expect(await expiry()).toBeGreaterThan(23 * hourMs)
  uploads.clock.passedMs = 24 * hourMs + minuteMs
  expect(await uploads.patch(signed, 28, Buffer.from('x'))).toMatchObject({
    status: 410,
    code: 'upload_expired',
  })
})

test('a tus upload accepts only its protocol version, and only same-site requests', async () => {
  const signed = await uploads.sign({ size: 10 })
  const body = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  expect((await uploads.send('PATCH', signed, Buffer.from('x'), body)).status).toBe(400)
  const other = await uploads.send('PATCH', signed, Buffer.from('x'), {
    ...tusHeaders,
    ...body,
    origin: 'https://evil.test',
  })
  expect(other.code).toBe('foreign_origin')
  const good = await uploads.patch(signed, 0, Buffer.from('x'))
  expect(good.headers).not.toHaveProperty('access-control-allow-origin')
  expect(good.headers).toHaveProperty('x-request-id')
})
