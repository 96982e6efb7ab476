// Rejected requests and time limits of uploads in parts, on disk and with an object store.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { banUser } from '#contract/admin/admin-users.ts'
import { maxPartUrls } from '#contract/upload-parts.ts'
import { collectKeys } from '../../testing/storage/storage-compliance.ts'
import type { Person } from '../../testing/test-app.ts'
import {
  createPartsUploadTestApp,
  partBytes,
  type PartsUploadTestApp,
} from '../../testing/parts-upload-test-app.ts'
import { splitIntoChunks, hourMs, sha256, type Signed } from '../../testing/upload-test-app.ts'

describe.each(['disk', 'store'] as const)('an upload in parts with a %s', (where) => {
  let uploads: PartsUploadTestApp
  let colleague: Person

  beforeAll(async () => {
    uploads = await createPartsUploadTestApp(where)
    colleague = await uploads.server.makePerson({ role: 'admin' })
  })
  afterAll(() => uploads.close())
  beforeEach(() => {
    uploads.clock.passedMs = 0
  })

  test('accepts requests only from the admin who created the upload', async () => {
    const signed = await uploads.sign({ size: 1000 })
    const asWhom = async (who: Person) => [
      (await uploads.list(signed, who)).code,
      (await uploads.address(signed, [1], { who })).code,
      (await uploads.complete(signed, undefined, who)).code,
      (await uploads.sendPart(signed, 1, Buffer.alloc(1000), { who })).code,
    ]
    expect(new Set(await asWhom(colleague))).toEqual(new Set(['upload_not_found']))
    expect(new Set(await asWhom(uploads.member))).toEqual(new Set(['forbidden']))
    expect((await uploads.list({ id: '0190a0a0-0000-7000-8000-000000000001' })).code).toBe(
      'upload_not_found',
    )
    expect((await uploads.rowOf(signed))?.store_upload_id).toBeNull()
  })

  test('rejects requests of an admin who was banned', async () => {
    const banned = await uploads.server.makePerson({ role: 'admin' })
    const result = await uploads.ask({ size: 1000 }, banned)
    const { uploadUrl } = result.body as Signed
    const signed = { id: uploadUrl.split('/').at(-1)! }
    expect((await uploads.list(signed, banned)).status).toBe(200)
    await uploads.admin.call(banUser, { params: { id: banned.id } })
    const codes = [
      await uploads.list(signed, banned),
      await uploads.address(signed, [1], { who: banned }),
      await uploads.sendPart(signed, 1, Buffer.alloc(1000), { who: banned }),
      await uploads.complete(signed, undefined, banned),
    ].map(({ code }) => code)
    expect(codes).toEqual(codes.map(() => 'unauthenticated'))
  })

  test('rejects files of more than 2 GB and empty files', async () => {
    for (const [size, code] of [
      [2 * 1024 ** 3 + 1, 'payload_too_large'],
      [10 * 1024 ** 3, 'payload_too_large'],
      [0, 'file_empty'],
    ] as const) {
      expect((await uploads.ask({ size })).code).toBe(code)
    }
    const largest = await uploads.sign({ size: 2 * 1024 ** 3 })
    expect((await uploads.address(largest, [256])).status).toBe(200)
  })

  test('rejects part numbers that the file does not have', async () => {
    const signed = await uploads.sign({ size: partBytes + 1 })
    for (const numbers of [[0], [3], [1, 2, 3], [-1], [1.5], [10_001], []]) {
      expect((await uploads.address(signed, numbers)).code).toBe('invalid_input')
    }
    const many = Array.from({ length: maxPartUrls + 1 }, () => 1)
    expect((await uploads.address(signed, many)).code).toBe('invalid_input')
    for (const number of ['0', '3', 'x', '1e9', '-1']) {
      expect((await uploads.sendPart(signed, number, Buffer.from('x'))).status).toBe(404)
    }
  })

  test('rejects parts of the wrong length, with and without a Content-Length', async () => {
    const signed = await uploads.sign({ size: partBytes + 100 })
    const code = async (body: Buffer | Readable) => (await uploads.sendPart(signed, 2, body)).code
    expect(await code(Buffer.alloc(101))).toBe('payload_too_large')
    // The body is large enough that the response is sent while the client is still sending.
    expect(await code(Buffer.alloc(10_000_000))).toBe('payload_too_large')
    expect(await code(Readable.from(splitIntoChunks(10_000_000)))).toBe('payload_too_large')
    expect(await code(Buffer.alloc(99))).toBe('upload_incomplete')
    expect(await code(Readable.from(splitIntoChunks(99)))).toBe('upload_incomplete')
    expect(await code(Buffer.alloc(0))).toBe('upload_incomplete')
    expect((await uploads.list(signed)).body.data).toEqual([])
    if (where === 'store') {
      // The test's S3 server accepts any length, but parts of the wrong length are listed as missing.
      const { body } = await uploads.address(signed, [1, 2])
      for (const { url: at } of body.data) await fetch(at, { method: 'PUT', body: 'too short' })
    }
    expect((await uploads.list(signed)).body.data).toEqual([])
    expect((await uploads.complete(signed)).code).toBe('upload_incomplete')
    expect(await uploads.server.services.storage.stat(signed.path)).toBeNull()
  })

  test('accepts only same-site requests with raw bytes as the body', async () => {
    const signed = await uploads.sign({ size: 4 })
    const url = `/api/uploads/${signed.id}/parts/1`
    const put = (headers: Record<string, string>) =>
      uploads.admin.send('PUT', url, { body: 'wave', headers })
    const type = { 'content-type': 'application/octet-stream' }
    expect((await put({ ...type, origin: 'https://evil.test' })).code).toBe('foreign_origin')
    expect((await put({ 'content-type': 'text/html' })).code).toBe('unsupported_content_type')
    expect((await uploads.list(signed)).body.data).toEqual([])
    const sent = await put(type)
    expect(sent.status).toBe(204)
    expect(sent.headers.has('access-control-allow-origin')).toBe(false)
    expect(sent.headers.has('x-request-id')).toBe(true)
  })

  test('rejects a file that was corrupted in transit, and deletes all its data', async () => {
    const bytes = randomBytes(1000)
    const signed = await uploads.sign({ size: bytes.length })
    await uploads.bring(signed, bytes, [1])
    expect((await uploads.complete(signed, 'nonsense')).code).toBe('invalid_input')
    expect((await uploads.complete(signed, sha256(randomBytes(8)))).code).toBe('upload_damaged')
    expect((await uploads.complete(signed)).code).toBe('upload_not_found')
    await uploads.sweep()
    expect(await collectKeys(uploads.server.services.storage, signed.path)).toEqual([])
  })

  test('returns upload_expired for a file that was deleted from the storage', async () => {
    const signed = await uploads.sign({ size: 1000 })
    await uploads.bring(signed, randomBytes(1000), [1])
    await uploads.server.services.storage.delete(signed.path)
    expect((await uploads.list(signed)).code).toBe('upload_expired')
    expect((await uploads.complete(signed)).code).toBe('upload_expired')
    expect((await uploads.sendPart(signed, 1, Buffer.alloc(1000))).code).toBe('upload_expired')
  })

  test('an unfinished upload expires two days after its last use', async () => {
    const bytes = randomBytes(partBytes + 10)
    const signed = await uploads.sign({ size: bytes.length })
    await uploads.bring(signed, bytes, [1])
    uploads.clock.passedMs = 47 * hourMs
    expect((await uploads.address(signed, [2])).status).toBe(200)
    uploads.clock.passedMs = 90 * hourMs
    await uploads.sweep()
    expect((await uploads.list(signed)).body.data).toHaveLength(1)
    uploads.clock.passedMs = 47 * hourMs + 49 * hourMs
    expect((await uploads.list(signed)).code).toBe('upload_expired')
    uploads.clock.passedMs += 2 * hourMs
    await uploads.sweep()
    expect(await uploads.rowOf(signed)).toBeUndefined()
    expect((await uploads.list(signed)).code).toBe('upload_not_found')
    expect(await uploads.countUnfinished()).toBe(0)
  })

  test('an upload expires after a week at the latest', async () => {
    const signed = await uploads.sign({ size: 1000 })
    for (let day = 0; day < 7; day++) {
      uploads.clock.passedMs = day * 24 * hourMs
      expect((await uploads.address(signed, [1])).status).toBe(200)
    }
    uploads.clock.passedMs = 7 * 24 * hourMs + 1000
    expect((await uploads.address(signed, [1])).code).toBe('upload_expired')
  })
})
