import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { handleErrors } from '../http/error-handler.ts'
import { openDiskStorage } from '../storage/disk-storage.ts'
import type { Storage } from '../storage/storage.ts'
import { createFileServer, type FileServer } from './file-server.ts'

const bytes = randomBytes(10_000)
const large = randomBytes(24 * 1024 * 1024)
let folder: string
let storage: Storage
let server: { app: FastifyInstance; files: FileServer; port: number; warnings: unknown[] }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-file-server-'))
  storage = await openDiskStorage(folder)
  await storage.put('audio/small.m4a', bytes)
  await storage.put('audio/large.m4a', large)
  await storage.put('audio/empty.m4a', new Uint8Array())
  server = await startServer()
})
afterAll(async () => {
  await server.app.close()
  await rm(folder, { recursive: true })
})

async function startServer(from: Storage = storage, stalledMs?: number) {
  const warnings: unknown[] = []
  const app = Fastify()
  handleErrors(app)
  const files = createFileServer({
    storage: from,
    stalledMs,
    log: { warn: (line: unknown) => warnings.push(line) },
  })
  app.get<{ Params: { name: string } }>('/:name', (request, reply) =>
    files.send(request, reply, {
      key: `audio/${request.params.name}`,
      mime: 'audio/mp4',
      cacheControl: 'private, no-cache',
      vary: 'cookie',
    }),
  )
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-from-hook', 'kept'))
  app.addHook('preClose', () => files.stop())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, files, warnings, port: (app.server.address() as AddressInfo).port }
}

const fetchFile = (
  headers: Record<string, string> = {},
  name = 'small.m4a',
  method: 'GET' | 'HEAD' = 'GET',
) => server.app.inject({ method, url: `/${name}`, headers })

describe('the whole file', () => {
  test('is sent with all headers that a player needs to seek', async () => {
    const response = await fetchFile()
    expect(response.statusCode).toBe(200)
    expect(response.rawPayload.equals(bytes)).toBe(true)
    const stat = await storage.stat('audio/small.m4a')
    expect(response.headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': '10000',
      'content-type': 'audio/mp4',
      'cache-control': 'private, no-cache',
      etag: stat?.etag,
      'last-modified': stat?.lastModified.toUTCString(),
      'x-content-type-options': 'nosniff',
      vary: 'cookie',
      'x-from-hook': 'kept',
    })
    expect(response.headers).not.toHaveProperty('content-range')
  })

  test('gets the same headers and no body for HEAD', async () => {
    const [head, whole] = [await fetchFile({}, 'small.m4a', 'HEAD'), await fetchFile()]
    expect(head.statusCode).toBe(200)
    expect(head.rawPayload).toHaveLength(0)
    const { date: _date, ...headers } = whole.headers
    expect(head.headers).toMatchObject(headers)
  })

  test('is sent when it is empty', async () => {
    const response = await fetchFile({ range: 'bytes=0-9' }, 'empty.m4a')
    expect([
      response.statusCode,
      response.headers['content-length'],
      response.rawPayload.length,
    ]).toEqual([200, '0', 0])
  })

  test('is 404 when it is missing', async () => {
    const response = await fetchFile({}, 'unknown.m4a')
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found'])
  })
})

describe('ranges', () => {
  test.each([
    ['bytes=0-499', 0, 500],
    ['bytes=500-999', 500, 1000],
    ['bytes=-500', 9500, 10_000],
    ['bytes=9500-', 9500, 10_000],
    ['bytes=9999-', 9999, 10_000],
    ['bytes=0-', 0, 10_000],
  ])('%s', async (range, start, end) => {
    const response = await fetchFile({ range })
    expect(response.statusCode).toBe(206)
    expect(response.headers['content-range']).toBe(`bytes ${start}-${end - 1}/10000`)
    expect(response.headers['content-length']).toBe(String(end - start))
    expect(response.rawPayload.equals(bytes.subarray(start, end))).toBe(true)
  })

  test('get the same response for HEAD as from nginx', async () => {
    const response = await fetchFile({ range: 'bytes=0-9' }, 'small.m4a', 'HEAD')
    expect([
      response.statusCode,
      response.headers['content-length'],
      response.rawPayload.length,
    ]).toEqual([206, '10', 0])
  })

  test('outside the file get 416 with its length', async () => {
    const response = await fetchFile({ range: 'bytes=10000-' })
    expect(response.statusCode).toBe(416)
    expect(response.headers['content-range']).toBe('bytes */10000')
    expect(response.headers).not.toHaveProperty('etag')
    expect(response.json().error.code).toBe('range_not_satisfiable')
  })

  test('are sent as multipart when there are several', async () => {
    const response = await fetchFile({ range: 'bytes=0-1,500-509,-3' })
    expect(response.statusCode).toBe(206)
    const boundary = /^multipart\/byteranges; boundary=(\d+)$/.exec(
      String(response.headers['content-type']),
    )?.[1]
    const part = (start: number, end: number) => [
      Buffer.from(
        `\r\n--${boundary}\r\ncontent-type: audio/mp4\r\ncontent-range: bytes ${start}-${end - 1}/10000\r\n\r\n`,
      ),
      bytes.subarray(start, end),
    ]
    const expected = Buffer.concat([
      ...part(0, 2),
      ...part(500, 510),
      ...part(9997, 10_000),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
    expect(response.rawPayload.equals(expected)).toBe(true)
    expect(response.headers['content-length']).toBe(String(expected.length))
    expect(response.headers).not.toHaveProperty('content-range')
  })

  test('are sent only if the client already has a part of the same version', async () => {
    const etag = String((await fetchFile()).headers.etag)
    expect((await fetchFile({ range: 'bytes=0-9', 'if-range': etag })).statusCode).toBe(206)
    const other = await fetchFile({ range: 'bytes=0-9', 'if-range': '"another"' })
    expect([other.statusCode, other.rawPayload.length]).toEqual([200, 10_000])
  })

  test('are not sent if the client already has the file', async () => {
    const etag = String((await fetchFile()).headers.etag)
    const response = await fetchFile({ range: 'bytes=0-9', 'if-none-match': etag })
    expect([response.statusCode, response.rawPayload.length, response.headers.etag]).toEqual([
      304,
      0,
      etag,
    ])
    expect(response.headers).not.toHaveProperty('content-length')
  })

  test('are not sent for a version other than the required one', async () => {
    const response = await fetchFile({ range: 'bytes=0-9', 'if-match': '"another"' })
    expect([response.statusCode, response.json().error.code]).toEqual([412, 'precondition_failed'])
  })

  test('are sent from anywhere in a large file', async () => {
    const places = [0, 1, 65_535, 65_536, 65_537, 131_071, 1_000_000, large.length - 200_000]
    for (const start of places) {
      for (const size of [1, 65_536, 131_072, 200_000]) {
        const response = await fetchFile(
          { range: `bytes=${start}-${start + size - 1}` },
          'large.m4a',
        )
        expect(response.rawPayload.equals(large.subarray(start, start + size))).toBe(true)
      }
    }
  })
})

/** Opens a plain socket, which receives data only when the test reads. */
function openSocket(port: number, request: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(request)
      resolve(socket)
    })
    socket.pause()
    socket.once('error', reject)
  })
}

const getLarge = 'GET /large.m4a HTTP/1.1\r\nhost: x\r\n\r\n'

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function countReads() {
  const reads = vi.fn<(position: number) => void>()
  const counting: Storage = {
    ...storage,
    async open(key) {
      const object = await storage.open(key)
      return {
        ...object,
        read: (target, position) => {
          reads(position)
          return object.read(target, position)
        },
      }
    },
  }
  return { counting, reads }
}

/** Resolves when the server has stopped reading the file, because the client accepts no more data. */
async function waitUntilIdle(reads: { mock: { calls: unknown[] } }): Promise<void> {
  let before = -1
  await vi.waitFor(
    () => {
      const now = reads.mock.calls.length
      const isStill = now === before
      before = now
      expect(isStill).toBe(true)
    },
    { timeout: 10_000, interval: 100 },
  )
}

describe('on real sockets', () => {
  test('sends a large file whole, twice on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let round = 0; round < 2; round++) {
      const response = await new Promise<IncomingMessage>((resolve) =>
        get({ port: server.port, path: '/large.m4a', agent }, resolve),
      )
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).equals(large)).toBe(true)
    }
    agent.destroy()
  })

  test('sends each of many listeners the bytes at their own position', async () => {
    // All clients first stop reading, so that each buffer is reused many times.
    const { counting, reads } = countReads()
    const { app, files, port } = await startServer(counting)
    const size = 10_000_000
    const places = Array.from({ length: 24 }, (_, i) => i * 600_001)
    const sockets = await Promise.all(
      places.map((start) => {
        const range = `bytes=${start}-${start + size - 1}`
        return openSocket(
          port,
          `GET /large.m4a HTTP/1.1\r\nhost: x\r\nconnection: close\r\nrange: ${range}\r\n\r\n`,
        )
      }),
    )
    await vi.waitFor(() => expect(files.stats().activeResponses).toBe(24))
    await waitUntilIdle(reads)
    const responses = await Promise.all(sockets.map((socket) => readAll(socket)))
    for (const [i, start] of places.entries()) {
      const body = responses[i]!.subarray(responses[i]!.indexOf('\r\n\r\n') + 4)
      expect(body.equals(large.subarray(start, start + size))).toBe(true)
    }
    await app.close()
  })

  test('stops reading and releases the file when the client disconnects', async () => {
    const { counting, reads } = countReads()
    const { app, files, port } = await startServer(counting)
    const socket = await openSocket(port, getLarge)
    await vi.waitFor(() => expect(files.stats().activeResponses).toBe(1))
    socket.destroy()
    await vi.waitFor(() => expect(files.stats().activeResponses).toBe(0))
    const readsBefore = reads.mock.calls.length
    expect(readsBefore * 65_536).toBeLessThan(large.length)
    await app.close()
    expect(reads).toHaveBeenCalledTimes(readsBefore)
    expect(files.stats().openFiles).toBe(0)
  })

  test('closes the connection of a client that stops reading', async () => {
    const { app, files, port } = await startServer(storage, 200)
    const socket = await openSocket(port, getLarge)
    await vi.waitFor(() => expect(files.stats().activeResponses).toBe(1))
    await vi.waitFor(() => expect(files.stats().activeResponses).toBe(0), 5_000)
    const received = await readAll(socket)
    expect(received.length).toBeLessThan(large.length)
    await app.close()
  })

  test('keeps the connection of a slow client that keeps reading', async () => {
    const { app, files, port } = await startServer(storage, 400)
    const socket = await openSocket(port, getLarge)
    let received = 0
    const begunAt = performance.now()
    while (performance.now() - begunAt < 2_000) {
      for (let i = 0; i < 16; i++) received += (socket.read() as Buffer | null)?.length ?? 0
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(files.stats().activeResponses).toBe(received < large.length ? 1 : 0)
    socket.destroy()
    await app.close()
  })

  test('ends running responses without an error on shutdown, and closes the files', async () => {
    const { app, files, port } = await startServer()
    const socket = await openSocket(port, getLarge)
    await vi.waitFor(() => expect(files.stats().activeResponses).toBe(1))
    await once(socket, 'readable')
    const closing = app.close()
    const received = await readAll(socket)
    await closing
    const body = received.subarray(received.indexOf('\r\n\r\n') + 4)
    expect(body.length).toBeGreaterThan(0)
    expect(body.length).toBeLessThan(large.length)
    expect(body.equals(large.subarray(0, body.length))).toBe(true)
    expect(files.stats()).toEqual({ activeResponses: 0, openFiles: 0 })
  })

  test('when responses are cut, ends those in progress and serves later requests', async () => {
    const { app, files, port } = await startServer()
    const socket = await openSocket(port, getLarge)
    await vi.waitFor(() => expect(files.stats().activeResponses).toBe(1))
    const receiving = readAll(socket)
    await files.cut()
    const received = await receiving
    expect(received.length).toBeLessThan(large.length)
    const again = await app.inject({ url: '/large.m4a', headers: { range: 'bytes=5-9' } })
    expect(again.statusCode).toBe(206)
    expect(again.rawPayload.equals(large.subarray(5, 10))).toBe(true)
    await app.close()
  })

  test('closes the connection when a file ends before its announced length', async () => {
    const shortened: Storage = {
      ...storage,
      async open(key) {
        const object = await storage.open(key)
        return {
          ...object,
          read: async (target, position) =>
            position > 2_000_000 ? 0 : object.read(target, position),
        }
      },
    }
    const { app, port } = await startServer(shortened)
    const socket = await openSocket(port, getLarge)
    const received = await readAll(socket).catch((error: NodeJS.ErrnoException) => error.code)
    if (Buffer.isBuffer(received)) expect(received.length).toBeLessThan(3_000_000)
    else expect(received).toBe('ECONNRESET')
    await app.close()
  })

  test('returns an error when the file cannot be read', async () => {
    const broken: Storage = {
      ...storage,
      open: async (key) => ({
        ...(await storage.open(key)),
        read: () => Promise.reject(new Error('the disk is broken')),
      }),
    }
    const { app } = await startServer(broken)
    const response = await app.inject('/small.m4a')
    expect([response.statusCode, response.json().error.code]).toEqual([500, 'internal'])
    await app.close()
  })
})
