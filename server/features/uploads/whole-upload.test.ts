// Uploads by a single PUT: the file is stored unchanged, can be used once and only by its owner, and is deleted if the
// upload is interrupted.
import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { transaction } from '../../platform/db/database.ts'
import {
  splitIntoChunks,
  createUploadTestApp,
  hourMs,
  sha256,
  type UploadTestApp,
} from '../../testing/upload-test-app.ts'
import { findCompleteUpload, useUpload } from './use-upload.ts'

let uploads: UploadTestApp

beforeAll(async () => {
  uploads = await createUploadTestApp()
})
afterAll(() => uploads.close())
beforeEach(() => {
  uploads.clock.passedMs = 0
})

test('a whole file is stored unchanged and hashed, and can be used once', async () => {
  const bytes = randomBytes(3_000_000)
  const signed = await uploads.sign({ size: bytes.length })
  expect(await uploads.put(signed, bytes)).toMatchObject({ status: 204, code: null })
  expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
  expect(await uploads.rowOf(signed)).toMatchObject({
    status: 'complete',
    sha256: sha256(bytes),
    byte_size: bytes.length,
  })
  expect(await uploads.scratch()).toEqual([])

  const { db } = uploads.server.services
  const owned = { path: signed.path, bucket: 'audio', userId: uploads.admin.id } as const
  const uses = await Promise.allSettled(
    [1, 2].map(() => transaction(db, (trx) => useUpload(trx, owned))),
  )
  expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(uses.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'upload_used' },
  })
  await expect(findCompleteUpload(db, owned)).rejects.toMatchObject({ code: 'upload_used' })
  // The file is served neither at its storage path nor at the announced public URL.
  for (const path of [signed.publicUrl, `/${signed.path}`, `/media/${signed.path}`]) {
    expect((await uploads.admin.send('GET', path)).status).toBe(404)
  }
})

test('a whole file cannot be used by other people, for another bucket, or before it is complete', async () => {
  const signed = await uploads.sign({ size: 4 })
  const owned = { path: signed.path, bucket: 'audio', userId: uploads.admin.id } as const
  const find = (change: object) =>
    findCompleteUpload(uploads.server.services.db, { ...owned, ...change })
  await expect(find({})).rejects.toMatchObject({ code: 'upload_incomplete' })
  await uploads.put(signed, Buffer.from('wave'))
  await expect(find({ userId: uploads.member.id })).rejects.toMatchObject({
    code: 'upload_not_found',
  })
  await expect(find({ bucket: 'covers' })).rejects.toMatchObject({ code: 'upload_not_found' })
  await expect(find({ path: `${signed.path}x` })).rejects.toMatchObject({
    code: 'upload_not_found',
  })
  await expect(find({})).resolves.toMatchObject({
    byteSize: 4,
    filename: 'song.wav',
    mime: 'audio/wav',
  })
})

test('a whole file requires its own token', async () => {
  const [mine, other] = [await uploads.sign({ size: 4 }), await uploads.sign({ size: 4 })]
  const wave = Buffer.from('wave')
  const attempts = [
    { uploadUrl: mine.uploadUrl },
    { uploadUrl: mine.uploadUrl, uploadToken: 'x'.repeat(43) },
    { uploadUrl: mine.uploadUrl, uploadToken: other.uploadToken },
    {
      uploadUrl: '/api/uploads/0190a0a0-0000-7000-8000-000000000001',
      uploadToken: mine.uploadToken,
    },
  ]
  for (const attempt of attempts) {
    expect(await uploads.put(attempt, wave)).toMatchObject({
      status: 403,
      code: 'upload_token_invalid',
    })
    expect((await uploads.send('DELETE', attempt, null)).status).toBe(403)
  }
  expect(
    (
      await uploads.put(
        { uploadUrl: '/api/uploads/..%2f..%2fx', uploadToken: mine.uploadToken },
        wave,
      )
    ).status,
  ).toBe(404)
  expect(await uploads.stored(mine)).toBeNull()
  expect(await uploads.scratch()).toEqual([])
})

test('a whole file is accepted only once, and not after its token expires', async () => {
  const [used, late] = [await uploads.sign({ size: 4 }), await uploads.sign({ size: 4 })]
  await uploads.put(used, Buffer.from('wave'))
  expect(await uploads.put(used, Buffer.from('evil'))).toMatchObject({
    status: 409,
    code: 'upload_used',
  })
  expect((await uploads.stored(used))?.toString()).toBe('wave')
  uploads.clock.passedMs = hourMs + 1000
  expect(await uploads.put(late, Buffer.from('wave'))).toMatchObject({
    status: 410,
    code: 'upload_expired',
  })
})

test.each([
  ['shorter', 99_999, 'upload_incomplete'],
  ['empty', 0, 'upload_incomplete'],
  ['longer', 100_001, 'payload_too_large'],
  ['much longer', 30_000_000, 'payload_too_large'],
])(
  'a whole file that is %s than announced is rejected and deleted',
  async (_what, length, code) => {
    const signed = await uploads.sign({ size: 100_000 })
    // Send the file with a Content-Length, then chunked.
    expect((await uploads.put(signed, Buffer.alloc(length))).code).toBe(code)
    expect((await uploads.put(signed, Readable.from(splitIntoChunks(length)))).code).toBe(code)
    expect([await uploads.stored(signed), await uploads.scratch()]).toEqual([null, []])
    // The token is still valid for a file of the announced size.
    expect((await uploads.put(signed, Buffer.alloc(100_000))).status).toBe(204)
  },
)

test("a whole file without an announced size is limited to its bucket's maximum", async () => {
  const limit = 20 * 1024 ** 2
  const signed = await uploads.sign({ bucket: 'covers', filename: 'a.png', mime: 'image/png' })
  const headers = { 'content-type': 'image/png' }
  expect((await uploads.put(signed, Readable.from(splitIntoChunks(limit + 1)), headers)).code).toBe(
    'payload_too_large',
  )
  expect((await uploads.put(signed, Buffer.alloc(limit + 1), headers)).code).toBe(
    'payload_too_large',
  )
  expect((await uploads.put(signed, Readable.from(splitIntoChunks(limit)), headers)).status).toBe(
    204,
  )
})

test('when two clients send a whole file concurrently, exactly one complete file is stored', async () => {
  const signed = await uploads.sign()
  const bodies = [randomBytes(2_000_000), randomBytes(2_000_000)]
  const responses = await Promise.all(bodies.map((body) => uploads.put(signed, body)))
  const winner = responses.findIndex(({ status }) => status === 204)
  expect(['upload_used', 'upload_locked']).toContain(responses[1 - winner]?.code)
  expect((await uploads.stored(signed))?.equals(bodies[winner]!)).toBe(true)
  expect((await uploads.rowOf(signed))?.sha256).toBe(sha256(bodies[winner]!))
  expect(await uploads.scratch()).toEqual([])
})

test('a whole file is deleted when its sender disconnects', async () => {
  const signed = await uploads.sign({ size: 10_000_000 })
  const request = httpRequest(`${uploads.server.url}${signed.uploadUrl}`, {
    method: 'PUT',
    headers: {
      cookie: uploads.admin.cookie,
      'upload-token': signed.uploadToken,
      'content-type': 'audio/wav',
      'content-length': 10_000_000,
    },
  })
  request.on('error', () => {})
  request.write(Buffer.alloc(1_000_000))
  await vi.waitFor(async () => expect(await uploads.scratch()).toHaveLength(1))
  request.destroy()
  await vi.waitFor(async () => expect(await uploads.scratch()).toEqual([]))
  expect((await uploads.rowOf(signed))?.status).toBe('open')
})
