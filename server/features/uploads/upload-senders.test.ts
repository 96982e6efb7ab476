// Several clients with one upload link that send concurrently, over real connections.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import {
  createUploadTestApp,
  tusHeaders,
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

const headersOf = {
  PUT: { 'content-type': 'audio/wav' },
  PATCH: {
    ...tusHeaders,
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  },
}
type Way = keyof typeof headersOf

const send = (way: Way, signed: Signed, body: Buffer) =>
  uploads.send(way, signed, body, headersOf[way])

/** Sends the first half; the test sends the rest later. */
async function begin(way: Way, signed: Signed, bytes: Buffer): Promise<ClientRequest> {
  const { server, admin } = uploads
  const request = httpRequest(`${server.url}${signed.uploadUrl}`, {
    method: way,
    headers: {
      cookie: admin.cookie,
      'upload-token': signed.uploadToken,
      ...headersOf[way],
      'content-length': bytes.length,
    },
  })
  request.on('error', () => {})
  request.write(bytes.subarray(0, half))
  await expect.poll(() => countArrived(way, signed)).toBe(half)
  return request
}

async function countArrived(way: Way, { id }: Signed): Promise<number> {
  const { dataDir } = uploads.server.services.config
  const folder = way === 'PUT' ? join(dataDir, 'storage', 'tmp') : join(dataDir, 'uploads')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const name = names.find((path) => path.endsWith(way === 'PUT' ? 'upload' : id))
  return name ? (await stat(join(folder, name))).size : 0
}

async function answerTo(request: ClientRequest): Promise<number> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response.resume().statusCode ?? 0
}

/** Also resolves when it closes with an error, as a cut-off client sees it. */
const closed = (request: ClientRequest) =>
  new Promise<void>((resolve) => void request.on('close', resolve))

const locked = { status: 423, code: 'upload_locked', headers: { 'retry-after': '10' } }

describe.each<Way>(['PUT', 'PATCH'])('while one sends by %s', (way) => {
  test('refuses all others, whichever protocol they use, and stores the first', async () => {
    // Freezes the clock, so that no sender counts as silent.
    vi.useFakeTimers({ toFake: ['performance'] })
    const signed = await sign()
    const bytes = randomBytes(size)
    const first = await begin(way, signed, bytes)
    const others = await Promise.all(
      (['PUT', 'PATCH', 'PUT'] as const).map((other) => send(other, signed, randomBytes(size))),
    )
    for (const other of others) expect(other).toMatchObject(locked)
    expect((await uploads.head(signed)).status).toBe(423)
    first.end(bytes.subarray(half))
    expect(await answerTo(first)).toBe(204)
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
    expect(await uploads.scratch()).toEqual([])
  })

  test('lets the next one take over when it falls silent', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const signed = await sign()
    const silent = await begin(way, signed, randomBytes(size))
    vi.advanceTimersByTime(9_000)
    expect(await send('PUT', signed, randomBytes(size))).toMatchObject(locked)
    const cut = closed(silent)
    vi.advanceTimersByTime(2_000)
    const bytes = randomBytes(size)
    expect((await send('PUT', signed, bytes)).status).toBe(204)
    await cut
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
    await expect.poll(uploads.scratch).toEqual([])
  })

  test('lets the next one send immediately when it disconnects', async () => {
    const signed = await sign()
    const gone = await begin(way, signed, randomBytes(size))
    gone.destroy()
    const bytes = randomBytes(size)
    await expect.poll(async () => (await send('PUT', signed, bytes)).status).toBe(204)
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
  })
})

test.each([
  ['whole', 40_000],
  ['half', 20_000],
])(
  'frees an upload whose client leaves during authorization, its %s body sent',
  async (_, sent) => {
    const { server, admin, head } = uploads
    const bytes = randomBytes(40_000)
    const signed = await uploads.sign({ size: bytes.length })
    await transaction(server.services.db, async (trx) => {
      await sql`lock table uploads in access exclusive mode`.execute(trx.query)
      const connected = once(server.app.server, 'connection')
      const request = httpRequest(`${server.url}${signed.uploadUrl}`, {
        method: 'PATCH',
        agent: false,
        headers: {
          cookie: admin.cookie,
          'upload-token': signed.uploadToken,
          ...headersOf.PATCH,
          'content-length': bytes.length,
        },
      })
      request.on('error', () => {})
      request.write(bytes.subarray(0, sent))
      const [socket] = (await connected) as [Socket]
      await expect.poll(() => countWaiting(trx)).toBe(1)
      const left = once(socket, 'close')
      request.destroy()
      await left
    })
    // By then the abandoned request has taken the lock.
    await expect.poll(() => uploads.partials()).toContain(signed.id)
    await expect.poll(async () => (await head(signed)).status, { timeout: 5_000 }).toBe(200)
    const offset = Number((await head(signed)).headers['upload-offset'])
    expect((await uploads.patch(signed, offset, bytes.subarray(offset))).status).toBe(204)
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
  },
)

/** The number of queries that wait for the table. */
async function countWaiting(trx: Transaction): Promise<number> {
  const { rows } = await sql`
    select from pg_locks where relation = 'uploads'::regclass and not granted`.execute(trx.query)
  return rows.length
}

test('can be aborted by the owner while sending', async () => {
  const signed = await sign()
  const first = await begin('PATCH', signed, randomBytes(size))
  const cut = closed(first)
  expect((await uploads.send('DELETE', signed, null, tusHeaders)).status).toBe(204)
  await cut
  expect((await send('PUT', signed, randomBytes(size))).code).toBe('upload_token_invalid')
})
