// Several who hold one upload link and send at once, over real connections.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSignedUpload } from '#contract/uploads.ts'
import { sendBody } from '../testing/send-body.ts'
import { createTestApp, type Person, type TestApp } from '../testing/test-app.ts'

let server: TestApp
let admin: Person

beforeAll(async () => {
  server = await createTestApp()
  admin = await server.makePerson({ role: 'admin' })
})
afterAll(() => server.close())
afterEach(() => vi.useRealTimers())

const size = 2_000_000
const half = size / 2

async function sign() {
  const { body } = await admin.call(createSignedUpload, {
    body: { bucket: 'audio', filename: 'song.wav', mime: 'audio/wav', size },
  })
  return body
}
type Signed = Awaited<ReturnType<typeof sign>>

const tus = {
  'tus-resumable': '1.0.0',
  'upload-offset': '0',
  'content-type': 'application/offset+octet-stream',
}
const headersOf = (method: string, { uploadToken }: Signed) => ({
  cookie: admin.cookie,
  'upload-token': uploadToken,
  ...(method === 'PUT' ? { 'content-type': 'audio/wav' } : tus),
})

const send = (method: string, signed: Signed, body: Buffer | null) =>
  sendBody({
    url: `${server.url}${signed.uploadUrl}`,
    method,
    headers: headersOf(method, signed),
    body,
  })

/** Sends the first half, and the rest when it is told to. */
async function begin(method: string, signed: Signed, bytes: Buffer): Promise<ClientRequest> {
  const request = httpRequest(`${server.url}${signed.uploadUrl}`, {
    method,
    headers: { ...headersOf(method, signed), 'content-length': bytes.length },
  })
  request.on('error', () => {})
  request.write(bytes.subarray(0, half))
  const folder = method === 'PUT' ? await scratchFolder() : join(dataDir(), 'uploads')
  await vi.waitFor(async () => expect((await readdir(folder)).length).toBeGreaterThan(0))
  return request
}

const dataDir = () => server.services.config.dataDir
async function scratchFolder(): Promise<string> {
  const folder = join(dataDir(), 'storage', 'tmp')
  const [own = ''] = await readdir(folder)
  return join(folder, own)
}

async function answerTo(request: ClientRequest): Promise<number> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response.resume().statusCode ?? 0
}

/** Also when it ends with an error, as whoever is cut off hears it. */
const closed = (request: ClientRequest) =>
  new Promise<void>((resolve) => void request.on('close', resolve))

const stored = async ({ path }: Signed) =>
  (await server.services.storage.stat(path)) ? server.services.storage.read(path) : null

const locked = { status: 423, code: 'upload_locked', headers: { 'retry-after': '10' } }

describe.each(['PUT', 'PATCH'])('while one sends by %s', (method) => {
  test('nobody else does, in whichever way, and what arrives is the first', async () => {
    const signed = await sign()
    const bytes = randomBytes(size)
    const first = await begin(method, signed, bytes)
    const others = await Promise.all(
      ['PUT', 'PATCH', 'PUT'].map((other) => send(other, signed, randomBytes(size))),
    )
    for (const other of others) expect(other).toMatchObject(locked)
    expect((await send('HEAD', signed, null)).status).toBe(423)
    first.end(bytes.subarray(half))
    expect(await answerTo(first)).toBe(204)
    expect((await stored(signed))?.equals(bytes)).toBe(true)
    expect(await readdir(await scratchFolder())).toEqual([])
  })

  test('and falls silent, the next one takes over', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const signed = await sign()
    const silent = await begin(method, signed, randomBytes(size))
    vi.advanceTimersByTime(9_000)
    expect(await send('PUT', signed, randomBytes(size))).toMatchObject(locked)
    const cut = closed(silent)
    vi.advanceTimersByTime(2_000)
    const bytes = randomBytes(size)
    expect((await send('PUT', signed, bytes)).status).toBe(204)
    await cut
    expect((await stored(signed))?.equals(bytes)).toBe(true)
    await vi.waitFor(async () => expect(await readdir(await scratchFolder())).toEqual([]))
  })

  test('and goes away, the next one sends at once', async () => {
    const signed = await sign()
    const gone = await begin(method, signed, randomBytes(size))
    gone.destroy()
    const bytes = randomBytes(size)
    await vi.waitFor(async () => expect((await send('PUT', signed, bytes)).status).toBe(204))
    expect((await stored(signed))?.equals(bytes)).toBe(true)
  })
})

test('its owner gives it up in the middle of sending', async () => {
  const signed = await sign()
  const first = await begin('PATCH', signed, randomBytes(size))
  const cut = closed(first)
  expect((await send('DELETE', signed, null)).status).toBe(204)
  await cut
  expect((await send('PUT', signed, randomBytes(size))).code).toBe('upload_token_invalid')
})
