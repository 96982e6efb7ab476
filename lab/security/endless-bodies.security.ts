// Sends ten gigabytes to every route that accepts a body, and bodies that never end. The server must reject them early
// with a stable error code and close the connection. Its memory must not grow, and nothing may be left on its disk.
import { readdir, readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestUpload, signInOwner } from '../../e2e/harness/api-client.ts'
import { startService, type Service } from '../../e2e/harness/service.ts'

const megabyte = 1024 * 1024
const tenGigabytes = 10 * 1024 * megabyte
const zeros = Buffer.alloc(256 * 1024)
/** The most that may be sent. Includes what the kernel buffers, and what arrives before the server checks the size. */
const maxAcceptedBytes = 400 * megabyte

let service: Service
let cookie: string
let cover: { path: string; uploadToken: string; uploadUrl: string }
let audio: { path: string; uploadToken: string; uploadUrl: string }
let inParts: { path: string; uploadToken: string; uploadUrl: string }

beforeAll(async () => {
  service = await startService()
  const owner = await signInOwner(service.url)
  cookie = owner.cookie()
  cover = await requestUpload(owner, 'a.png', 'image/png', undefined)
  audio = await requestUpload(owner, 'a.wav', 'audio/wav', undefined)
  inParts = await requestUpload(owner, 'a.wav', 'audio/wav', megabyte)
})
afterAll(() => service?.remove())

interface Outcome {
  status: number
  code: string | undefined
  answeredAfterMs: number
  closedAfterMs: number
  sentBytes: number
}

/** Sends `head`, then the results of `next()`, until the server closes the connection or `timeoutMs` have passed. */
function sendEndlessly(
  head: string,
  next: () => Buffer,
  options: { pauseMs?: number; patienceMs?: number } = {},
): Promise<Outcome> {
  const { hostname, port } = new URL(service.url)
  const start = performance.now()
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    let answeredAfterMs = Infinity
    let isOver = false
    const finish = (closedAfterMs: number) => {
      if (isOver) return
      isOver = true
      clearTimeout(patience)
      socket.destroy()
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
        code: /"code":"(\w+)"/.exec(text)?.[1],
        answeredAfterMs,
        closedAfterMs,
        sentBytes: socket.bytesWritten,
      })
    }
    const patience = setTimeout(() => finish(Infinity), options.patienceMs ?? 20_000)
    const pump = () => {
      if (isOver || socket.bytesWritten > tenGigabytes) return
      if (options.pauseMs) {
        socket.write(next())
        setTimeout(pump, options.pauseMs)
      } else if (socket.write(next())) setImmediate(pump)
      else socket.once('drain', pump)
    }
    socket.on('connect', () => {
      socket.write(head)
      pump()
    })
    socket.on('data', (data) => {
      if (text === '') answeredAfterMs = performance.now() - start
      text += data.toString('latin1')
    })
    // The server reset the connection. A response that arrived before still counts.
    socket.on('error', () => {})
    socket.on('close', () => finish(performance.now() - start))
  })
}

const chunk = Buffer.concat([Buffer.from('40000\r\n'), zeros, Buffer.from('\r\n')])

function head(line: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: '127.0.0.1', cookie, ...headers })
  return `${line} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

const long = { 'content-length': String(tenGigabytes) }
const chunked = { 'transfer-encoding': 'chunked' }
const json = { 'content-type': 'application/json' }
const bytes = { 'content-type': 'application/octet-stream' }

/** Name, request head and expected error code of each route. */
const bodyRoutes: [string, () => string, string][] = [
  ['JSON', () => head('POST /api/playlists', { ...json, ...long }), 'payload_too_large'],
  [
    'JSON in chunks',
    () => head('POST /api/playlists', { ...json, ...chunked }),
    'payload_too_large',
  ],
  [
    'JSON without a session',
    () => head('POST /api/auth/sign-in/email', { ...json, ...chunked, cookie: 'a=b' }),
    'payload_too_large',
  ],
  [
    'an event',
    () => head('POST /api/billing-webhook', { ...json, ...chunked }),
    'payload_too_large',
  ],
  [
    'JSON with a Content-Encoding header',
    () => head('POST /api/playlists', { ...json, ...chunked, 'content-encoding': 'gzip' }),
    'payload_too_large',
  ],
  [
    'a form',
    () =>
      head('POST /api/playlists', {
        'content-type': 'multipart/form-data; boundary=a',
        ...chunked,
      }),
    'unsupported_content_type',
  ],
  [
    'a body for an unknown operation',
    () => head('POST /api/nothing', { ...bytes, ...chunked }),
    'not_found',
  ],
  [
    'another method',
    () => head('DELETE /api/tracks', { ...bytes, ...chunked }),
    'method_not_allowed',
  ],
  [
    'a file without a token',
    () => head(`PUT ${cover.uploadUrl}`, { ...bytes, ...long }),
    'upload_token_invalid',
  ],
  [
    'a file without a token, in chunks',
    () => head(`PUT ${cover.uploadUrl}`, { ...bytes, ...chunked, 'upload-token': 'made up' }),
    'upload_token_invalid',
  ],
  [
    'a file without a session',
    () => head(`PUT ${cover.uploadUrl}`, { ...bytes, ...chunked, cookie: 'a=b' }),
    'unauthenticated',
  ],
  [
    'a picture',
    () => head(`PUT ${cover.uploadUrl}`, { ...bytes, ...long, 'upload-token': cover.uploadToken }),
    'payload_too_large',
  ],
  [
    'a picture in chunks',
    () =>
      head(`PUT ${cover.uploadUrl}`, { ...bytes, ...chunked, 'upload-token': cover.uploadToken }),
    'payload_too_large',
  ],
  [
    'a recording',
    () => head(`PUT ${audio.uploadUrl}`, { ...bytes, ...long, 'upload-token': audio.uploadToken }),
    'payload_too_large',
  ],
  [
    'a part of a recording',
    () => head(`PUT ${inParts.uploadUrl}/parts/1`, { ...bytes, ...long }),
    'payload_too_large',
  ],
  [
    'a part of a recording in chunks',
    () => head(`PUT ${inParts.uploadUrl}/parts/1`, { ...bytes, ...chunked }),
    'payload_too_large',
  ],
  [
    'a recording by the tus protocol, as old browsers send it',
    () => {
      const type = { 'content-type': 'application/offset+octet-stream' }
      return head(`PATCH ${inParts.uploadUrl}`, { ...type, ...chunked })
    },
    'upload_transport',
  ],
]

test.each(bodyRoutes)('ten gigabytes: %s', async (_name, request, code) => {
  const before = await readMemory(service.pid())
  const isChunked = request().includes('chunked')
  const sending = sendEndlessly(request(), () => (isChunked ? chunk : zeros))
  let most = before
  let isSending = true
  const watching = (async () => {
    while (isSending) {
      most = Math.max(most, await readMemory(service.pid()))
      await wait(50)
    }
  })()
  const outcome = await sending
  isSending = false
  await watching
  expect(outcome).toMatchObject({ code })
  expect(outcome.answeredAfterMs).toBeLessThan(5000)
  expect(outcome.closedAfterMs).toBeLessThan(10_000)
  expect(outcome.sentBytes).toBeLessThan(maxAcceptedBytes)
  expect(most - before).toBeLessThan(100 * megabyte)
})

test('rejects a compressed request body without decompressing it', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * megabyte))
  const response = await fetch(`${service.url}/api/playlists`, {
    method: 'POST',
    headers: { cookie, ...json, 'content-encoding': 'gzip' },
    body: new Uint8Array(bomb),
  })
  expect([400, 415]).toContain(response.status)
})

test(
  'closes 200 slow requests with 408 request_timeout, and meanwhile serves others without delay',
  { timeout: 120_000 },
  async () => {
    const request = head('POST /api/playlists', { ...json, 'content-length': '5000' })
    const slowSenders = Array.from({ length: 200 }, () =>
      sendEndlessly(request, () => Buffer.from(' '), { pauseMs: 1000, patienceMs: 60_000 }),
    )
    for (let round = 0; round < 5; round++) {
      const asked = performance.now()
      expect((await fetch(`${service.url}/api/site`)).status).toBe(200)
      expect(performance.now() - asked).toBeLessThan(2000)
      await wait(200)
    }
    const outcomes = await Promise.all(slowSenders)
    expect(new Set(outcomes.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['408 request_timeout']),
    )
    expect(Math.max(...outcomes.map(({ closedAfterMs }) => closedAfterMs))).toBeLessThan(60_000)
  },
)

test('leaves no data of rejected bodies, and still responds', async () => {
  expect(await measureFolder(join(service.dataDir, 'storage', 'tmp'))).toBeLessThan(megabyte)
  expect(await measureFolder(join(service.dataDir, 'storage', 'parts'))).toBeLessThan(megabyte)
  expect((await fetch(`${service.url}/api/profile`, { headers: { cookie } })).status).toBe(200)
})

async function readMemory(pid: number): Promise<number> {
  const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]
  return Number(pages) * 4096
}

async function measureFolder(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
