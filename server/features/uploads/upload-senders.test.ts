// Several clients that send concurrently to one upload URL, over real connections.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { completeUploadParts, listUploadParts } from '#contract/upload-parts.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import {
  createUploadTestApp,
  type Signed,
  type UploadTestApp,
} from '../../testing/upload-test-app.ts'

let uploads: UploadTestApp

beforeAll(async () => {
  uploads = await createUploadTestApp()
})
afterAll(() => uploads.close())
afterEach(() => vi.useRealTimers())

const size = 2_000_000
const half = size / 2
const sign = () => uploads.sign({ size })

type Way = 'PUT' | 'part'

const pathOf = (way: Way, signed: Signed) =>
  way === 'PUT' ? signed.uploadUrl : `${signed.uploadUrl}/parts/1`
const send = (way: Way, signed: Signed, body: Buffer) =>
  uploads.send('PUT', { ...signed, uploadUrl: pathOf(way, signed) }, body)
const list = ({ id }: Signed) => uploads.admin.call(listUploadParts, { params: { id } })
const complete = ({ id }: Signed) =>
  uploads.admin.call(completeUploadParts, { params: { id }, body: {} })

function openRequest(way: Way, signed: Signed, byteSize: number): ClientRequest {
  const { server, admin } = uploads
  const request = httpRequest(`${server.url}${pathOf(way, signed)}`, {
    method: 'PUT',
    agent: false,
    headers: {
      cookie: admin.cookie,
      'upload-token': signed.uploadToken,
      'content-type': 'audio/wav',
      'content-length': byteSize,
    },
  })
  request.on('error', () => {})
  return request
}

/** Sends the first half of a file. The test sends the rest later. */
async function startUpload(way: Way, signed: Signed, bytes: Buffer): Promise<ClientRequest> {
  const request = openRequest(way, signed, bytes.length)
  request.write(bytes.subarray(0, half))
  await expect.poll(countArrived).toBe(half)
  return request
}

/** The size of the only temporary file, which is the number of bytes received so far. */
async function countArrived(): Promise<number> {
  const folder = join(uploads.server.services.config.dataDir, 'storage', 'tmp')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const [file] = entries.filter((entry) => entry.isFile())
  return file ? (await stat(join(file.parentPath, file.name))).size : 0
}

async function readStatus(request: ClientRequest): Promise<number> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response.resume().statusCode ?? 0
}

/** Waits until a request's connection is closed, also with an error, as for a client that disconnects. */
const closed = (request: ClientRequest) =>
  new Promise<void>((resolve) => void request.on('close', resolve))

const locked = { status: 423, code: 'upload_locked', headers: { 'retry-after': '10' } }

/** Freezes the clock, so that no sender counts as stalled until the test calls `advanceTimersByTime`. */
const freezeClock = () => vi.useFakeTimers({ toFake: ['performance'] })

describe.each<Way>(['PUT', 'part'])('while a client sends by %s', (way) => {
  /** Completes the upload, as the client does after the last byte. */
  const finish = async (signed: Signed) => {
    if (way === 'part') expect((await complete(signed)).status).toBe(204)
  }

  test("rejects all other senders with 423 and stores the first one's file", async () => {
    freezeClock()
    const signed = await sign()
    const bytes = randomBytes(size)
    const first = await startUpload(way, signed, bytes)
    const others = await Promise.all([1, 2, 3].map(() => send(way, signed, randomBytes(size))))
    for (const other of others) expect(other).toMatchObject(locked)
    first.end(bytes.subarray(half))
    expect(await readStatus(first)).toBe(204)
    await finish(signed)
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
    expect(await uploads.scratch()).toEqual([])
  })

  test('lets the next sender take over when the first one sends no more bytes', async () => {
    freezeClock()
    const signed = await sign()
    const silent = await startUpload(way, signed, randomBytes(size))
    vi.advanceTimersByTime(9_000)
    expect(await send(way, signed, randomBytes(size))).toMatchObject(locked)
    const cut = closed(silent)
    vi.advanceTimersByTime(2_000)
    const bytes = randomBytes(size)
    expect((await send(way, signed, bytes)).status).toBe(204)
    await cut
    await finish(signed)
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
    await expect.poll(uploads.scratch).toEqual([])
  })

  test('lets the next sender start immediately when the first one disconnects', async () => {
    const signed = await sign()
    const dropped = await startUpload(way, signed, randomBytes(size))
    dropped.destroy()
    const bytes = randomBytes(size)
    await expect.poll(async () => (await send(way, signed, bytes)).status).toBe(204)
    await finish(signed)
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
  })

  test('lets the owner cancel the upload', async () => {
    const signed = await sign()
    const first = await startUpload(way, signed, randomBytes(size))
    const cut = closed(first)
    expect((await uploads.send('DELETE', signed, null)).status).toBe(204)
    await cut
    await expect.poll(uploads.scratch).toEqual([])
    expect((await send('PUT', signed, randomBytes(size))).code).toBe('upload_token_invalid')
    expect((await list(signed)).code).toBe('upload_not_found')
  })
})

test('an upload that is being sent as a whole cannot be started in parts unless its sender has stalled', async () => {
  freezeClock()
  const signed = await sign()
  const whole = await startUpload('PUT', signed, randomBytes(size))
  expect(await list(signed)).toMatchObject({ status: 423, code: 'upload_locked' })
  expect((await send('part', signed, randomBytes(size))).code).toBe('upload_locked')
  const cut = closed(whole)
  vi.advanceTimersByTime(11_000)
  const bytes = randomBytes(size)
  expect((await send('part', signed, bytes)).status).toBe(204)
  await cut
  expect((await complete(signed)).status).toBe(204)
  expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
})

test('an upload that is being sent in parts cannot be sent as a whole', async () => {
  const signed = await sign()
  const bytes = randomBytes(size)
  const part = await startUpload('part', signed, bytes)
  expect((await send('PUT', signed, randomBytes(size))).code).toBe('upload_transport')
  expect((await list(signed)).body.data).toEqual([])
  part.end(bytes.subarray(half))
  expect(await readStatus(part)).toBe(204)
  expect((await list(signed)).body.data).toHaveLength(1)
})

test.each([
  ['whole', 40_000],
  ['half', 20_000],
])(
  'a client that disconnects during authorization, after sending its %s body, does not block the part',
  async (_, sent) => {
    const bytes = randomBytes(40_000)
    const signed = await uploads.sign({ size: bytes.length })
    const { server } = uploads
    await transaction(server.services.db, async (trx) => {
      await sql`lock table uploads in access exclusive mode`.execute(trx.query)
      const connected = once(server.app.server, 'connection')
      const request = openRequest('part', signed, bytes.length)
      request.write(bytes.subarray(0, sent))
      const [socket] = (await connected) as [Socket]
      await expect.poll(() => countWaiting(trx)).toBe(1)
      const left = once(socket, 'close')
      request.destroy()
      await left
    })
    await expect
      .poll(async () => (await send('part', signed, bytes)).status, { timeout: 5_000 })
      .toBe(204)
    expect((await complete(signed)).status).toBe(204)
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
    await expect.poll(uploads.scratch).toEqual([])
  },
)

/** The number of queries that wait for the table lock. */
async function countWaiting(trx: Transaction): Promise<number> {
  const { rows } = await sql`
    select from pg_locks where relation = 'uploads'::regclass and not granted`.execute(trx.query)
  return rows.length
}
