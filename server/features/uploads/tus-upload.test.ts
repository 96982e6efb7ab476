// Resumable uploads with the real tus client: interruptions, other instances, two senders and kills.
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import Fastify from 'fastify'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { handleErrors } from '../../platform/http/error-handler.ts'
import { createRoute } from '../../platform/http/route.ts'
import { uploadRoutes } from './upload-routes.ts'
import {
  createUploadTestApp,
  sha256,
  tusHeaders,
  type Signed,
  type UploadTestApp,
} from '../../testing/upload-test-app.ts'

let uploads: UploadTestApp

beforeAll(async () => {
  uploads = await createUploadTestApp()
})
afterAll(() => uploads.close())

/** Runs the client until it is done, or until `stopAfter` bytes are acknowledged. */
function upload(
  bytes: Buffer,
  signed: Signed,
  { stopAfter = Infinity, byCreation = false, url = uploads.server.url } = {},
): Promise<{ sent: number; error?: Error }> {
  return new Promise((resolve) => {
    let sent = 0
    const address = `${url}${signed.uploadUrl}`
    const client = new Upload(bytes, {
      ...(byCreation ? { endpoint: address } : { uploadUrl: address }),
      headers: { 'upload-token': signed.uploadToken, cookie: uploads.admin.cookie },
      chunkSize: 256 * 1024,
      retryDelays: null,
      onChunkComplete(_size, accepted) {
        sent = accepted
        if (accepted >= stopAfter) void client.abort().then(() => resolve({ sent }))
      },
      onSuccess: () => resolve({ sent }),
      onError: (error) => resolve({ sent, error }),
    })
    client.start()
  })
}

test('a tus upload arrives unchanged', async () => {
  const bytes = randomBytes(1_500_000)
  const signed = await uploads.sign({ size: bytes.length })
  expect(await upload(bytes, signed)).toEqual({ sent: bytes.length })
  expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
  expect(await uploads.rowOf(signed)).toMatchObject({ status: 'complete', sha256: sha256(bytes) })
  expect(await uploads.partials()).toEqual([])
})

test('a tus upload resumes on another server over the same data', async () => {
  const bytes = randomBytes(1_500_000)
  const signed = await uploads.sign({ size: bytes.length })
  const { sent } = await upload(bytes, signed, { stopAfter: 500_000 })
  expect(sent).toBeLessThan(bytes.length)

  const next = Fastify()
  handleErrors(next)
  const route = createRoute(next, {
    db: uploads.server.services.db,
    now: uploads.server.services.now,
    findActor: uploads.server.services.auth.findActor,
    isMaintenance: () => false,
    adminsNeedTwoFactor: () => false,
    isConfirmed: async () => true,
    strictOutput: true,
  })
  uploadRoutes(route, next, uploads.server.services)
  const offsets: unknown[] = []
  next.addHook('onRequest', async ({ headers }) => void offsets.push(headers['upload-offset']))
  const url = await next.listen({ port: 0, host: '127.0.0.1' })
  const resumed = await upload(bytes, signed, { url })
  expect(resumed.error).toBeUndefined()
  // First a HEAD request, then the missing parts.
  expect(offsets.slice(0, 2)).toEqual([undefined, String(sent)])
  expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
  await next.close()
})

test('a tus upload keeps the bytes received before the connection broke', async () => {
  const bytes = randomBytes(1_000_000)
  const signed = await uploads.sign({ size: bytes.length })
  const broken = httpRequest(`${uploads.server.url}${signed.uploadUrl}`, {
    method: 'PATCH',
    headers: {
      ...tusHeaders,
      cookie: uploads.admin.cookie,
      'upload-token': signed.uploadToken,
      'upload-offset': 0,
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes.length,
    },
  })
  broken.on('error', () => {})
  broken.write(bytes.subarray(0, 400_000))
  await vi.waitFor(async () => expect(await uploads.partials()).toContain(signed.id))
  broken.destroy()
  let offset = 0
  await vi.waitFor(async () => {
    offset = Number((await uploads.head(signed)).headers['upload-offset'])
    expect(offset).toBeGreaterThan(0)
  })
  expect(offset).toBeLessThanOrEqual(400_000)
  expect((await uploads.patch(signed, offset, bytes.subarray(offset))).status).toBe(204)
  expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
})

test('a tus upload of unknown size starts with a creation request that declares the length', async () => {
  const bytes = randomBytes(600_000)
  const signed = await uploads.sign()
  expect((await uploads.head(signed)).status).toBe(404)
  expect(await upload(bytes, signed, { byCreation: true })).toEqual({ sent: bytes.length })
  expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
})

test('a tus upload sent by two clients concurrently is never mixed', async () => {
  const size = 4_000_000
  const signed = await uploads.sign({ size })
  const bodies = [Buffer.alloc(size, 'a'), Buffer.alloc(size, 'b')]
  await Promise.all(bodies.map((body) => uploads.patch(signed, 0, body).catch(() => null)))
  for (let turn = 0; turn < 3 && !(await uploads.stored(signed)); turn++) {
    const offset = Number((await uploads.head(signed)).headers['upload-offset'])
    if (offset < size) await uploads.patch(signed, offset, bodies[0]!.subarray(offset))
  }
  const bytes = await uploads.stored(signed)
  expect(bytes).toHaveLength(size)
  const border = bytes!.lastIndexOf('b') + 1
  expect(
    bytes!.equals(Buffer.concat([Buffer.alloc(border, 'b'), Buffer.alloc(size - border, 'a')])),
  ).toBe(true)
})

test('a tus upload whose last response was lost is reported as complete', async () => {
  const signed = await uploads.sign({ size: 4 })
  await uploads.patch(signed, 0, Buffer.from('wave'))
  expect(await uploads.head(signed)).toMatchObject({
    status: 200,
    headers: { 'upload-offset': '4', 'upload-length': '4', 'cache-control': 'no-store' },
  })
  expect((await uploads.patch(signed, 4, Buffer.alloc(0))).code).toBe('upload_used')
})

test('a tus upload fully received before the server was killed is completed by the next request', async () => {
  const signed = await uploads.sign({ size: 4 })
  const folder = join(uploads.server.services.config.dataDir, 'uploads')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, signed.id), 'wave')
  const answers = await Promise.all([
    uploads.head(signed),
    uploads.head(signed),
    uploads.head(signed),
  ])
  for (const answer of answers) {
    expect([answer.status, answer.headers['upload-offset']]).toEqual([200, '4'])
  }
  expect((await uploads.stored(signed))?.toString()).toBe('wave')
})
