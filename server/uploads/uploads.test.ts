// Bringing files over HTTP, with real sign-ins, real bytes and the real tus client.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSignedUpload } from '#contract/uploads.ts'
import { transaction } from '../db/database.ts'
import { handleErrors } from '../http/error-handler.ts'
import { createRoute } from '../http/route.ts'
import { claimKeys, sweepStorageGarbage } from '../storage/storage-garbage.ts'
import { sendBody, type BodyAnswer } from '../testing/send-body.ts'
import { createTestApp, type Person, type TestApp } from '../testing/test-app.ts'
import { sweepUploads } from './sweep-uploads.ts'
import { uploadRoutes } from './upload-routes.ts'
import { findCompleteUpload, useUpload } from './use-upload.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

let server: TestApp
let admin: Person
let member: Person
let passedMs = 0

beforeAll(async () => {
  server = await createTestApp({}, { now: () => new Date(Date.now() + passedMs) })
  admin = await server.makePerson({ role: 'admin' })
  member = await server.makePerson()
})
afterAll(() => server.close())
beforeEach(() => {
  passedMs = 0
})

interface Signed {
  id: string
  path: string
  uploadUrl: string
  uploadToken: string
  publicUrl: string
}

async function sign(body: object = {}, who: Person = admin): Promise<Signed> {
  const answer = await ask(body, who)
  if (answer.status !== 200) throw new Error(`Refused: ${answer.code}`)
  const signed = answer.body as Omit<Signed, 'id'>
  return { ...signed, id: signed.uploadUrl.split('/').at(-1)! }
}

const ask = (body: object, who: Pick<Person, 'send'> = admin) =>
  who.send('POST', createSignedUpload.path, {
    body: { bucket: 'audio', filename: 'song.wav', mime: 'audio/wav', ...body },
  })

/** Sends a body as it is given: a stream goes in chunks, without a length. */
function send(
  method: string,
  { uploadUrl, uploadToken }: Partial<Signed>,
  body: Buffer | Readable | null,
  headers: Record<string, string> = {},
  who: Person = admin,
): Promise<BodyAnswer> {
  return sendBody({
    url: `${server.url}${uploadUrl}`,
    method,
    headers: {
      cookie: who.cookie,
      'content-type': 'audio/wav',
      ...(uploadToken && { 'upload-token': uploadToken }),
      ...headers,
    },
    body,
  })
}

const put = (signed: Partial<Signed>, body: Buffer | Readable, headers?: Record<string, string>) =>
  send('PUT', signed, body, headers)

const tusHeaders = { 'tus-resumable': '1.0.0' }
const patch = (signed: Signed, offset: number, body: Buffer | Readable) =>
  send('PATCH', signed, body, {
    ...tusHeaders,
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
  })
const head = (signed: Partial<Signed>) => send('HEAD', signed, null, tusHeaders)

const rowOf = ({ path }: Signed) =>
  server.services.db.query
    .selectFrom('uploads')
    .selectAll()
    .where('path', '=', path)
    .executeTakeFirst()
const stored = async ({ path }: Signed) =>
  (await server.services.storage.stat(path)) ? server.services.storage.read(path) : null
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const partials = () => readdir(join(server.services.config.dataDir, 'uploads')).catch(() => [])
async function scratch(): Promise<string[]> {
  const folder = join(server.services.config.dataDir, 'storage', 'tmp')
  const [own] = await readdir(folder)
  return readdir(join(folder, own!))
}

async function sweep(): Promise<void> {
  await sweepUploads(server.services, server.services.now())
  await sweepStorageGarbage(server.services.db, server.services.storage, server.services.now())
}

describe('asking for a place', () => {
  test('audio is for admins, covers for every member, nothing for visitors', async () => {
    expect((await ask({}, server.nobody)).code).toBe('unauthenticated')
    expect((await ask({}, member)).code).toBe('forbidden')
    const cover = { bucket: 'covers', filename: 'a.png', mime: 'image/png' }
    expect((await ask(cover, member)).status).toBe(200)
    expect((await ask(cover, server.nobody)).code).toBe('unauthenticated')
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
    ['audio', 'text/html', 'a.mp3', 'invalid_input'],
    ['covers', 'image/png', 'a.png', null],
    ['covers', 'audio/mpeg', 'a.png', 'unsupported_image'],
    ['covers', 'application/octet-stream', 'a.png', 'unsupported_image'],
    ['avatars', 'image/png', 'a.png', 'invalid_input'],
  ])('%s takes %s called %s: %s', async (bucket, mime, filename, code) => {
    expect((await ask({ bucket, mime, filename })).code ?? null).toBe(code)
  })

  test.each([
    ['audio', 'audio/wav', 2 * 1024 ** 3, null],
    ['audio', 'audio/wav', 2 * 1024 ** 3 + 1, 'payload_too_large'],
    ['covers', 'image/png', 20 * 1024 ** 2 + 1, 'payload_too_large'],
    ['covers', 'image/png', 0, 'invalid_input'],
    ['covers', 'image/png', -1, 'invalid_input'],
    ['covers', 'image/png', 1.5, 'invalid_input'],
  ])('%s, %s of %d bytes: %s', async (bucket, mime, size, code) => {
    expect((await ask({ bucket, mime, size })).code ?? null).toBe(code)
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
  ])('a file called %j', async (filename, safe, kept) => {
    const signed = await sign({ filename, mime: 'audio/wav' })
    expect(signed.path).toMatch(/^uploads\/audio\/[0-9a-f-]{36}\/[^/]+$/)
    expect(signed.path.split('/').at(-1)).toBe(safe)
    expect((await rowOf(signed))?.filename).toBe(kept)
  })

  test('the token is long, random, and kept nowhere', async () => {
    const [one, other] = [await sign(), await sign()]
    expect(Buffer.from(one.uploadToken, 'base64url')).toHaveLength(32)
    expect(one.uploadToken).not.toBe(other.uploadToken)
    expect(JSON.stringify(await rowOf(one))).not.toContain(one.uploadToken)
  })

  test('a member cannot fill the disk with covers that nothing uses', async () => {
    const hoarder = await server.makePerson()
    const cover = { bucket: 'covers', filename: 'a.png', mime: 'image/png' }
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(cover, hoarder)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    expect((await ask(cover, hoarder)).code).toBe('rate_limited')
    passedMs = 2 * hourMs
    expect((await ask(cover, hoarder)).status).toBe(200)
  })
})

describe('a whole file', () => {
  test('arrives as it is, is measured, and can be used once', async () => {
    const bytes = randomBytes(3_000_000)
    const signed = await sign({ size: bytes.length })
    expect(await put(signed, bytes)).toMatchObject({ status: 204, code: null })
    expect((await stored(signed))?.equals(bytes)).toBe(true)
    expect(await rowOf(signed)).toMatchObject({
      status: 'complete',
      sha256: sha256(bytes),
      byte_size: bytes.length,
    })
    expect([await scratch(), await partials()]).toEqual([[], []])

    const { db } = server.services
    const owned = { path: signed.path, bucket: 'audio', userId: admin.id } as const
    const uses = await Promise.allSettled(
      [1, 2].map(() => transaction(db, (trx) => useUpload(trx, owned))),
    )
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(uses.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'upload_used' },
    })
    await expect(findCompleteUpload(db, owned)).rejects.toMatchObject({ code: 'upload_used' })
    // Where it is stored, and where it is said to be shown, nobody gets it.
    for (const path of [signed.publicUrl, `/${signed.path}`, `/media/${signed.path}`]) {
      expect((await admin.send('GET', path)).status).toBe(404)
    }
  })

  test('is used by nobody else, nowhere else, and not before it is whole', async () => {
    const signed = await sign({ size: 4 })
    const owned = { path: signed.path, bucket: 'audio', userId: admin.id } as const
    const find = (change: object) => findCompleteUpload(server.services.db, { ...owned, ...change })
    await expect(find({})).rejects.toMatchObject({ code: 'upload_incomplete' })
    await put(signed, Buffer.from('wave'))
    await expect(find({ userId: member.id })).rejects.toMatchObject({ code: 'upload_not_found' })
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

  test('needs its own token', async () => {
    const [mine, other] = [await sign({ size: 4 }), await sign({ size: 4 })]
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
      expect(await put(attempt, wave)).toMatchObject({ status: 403, code: 'upload_token_invalid' })
      expect((await head(attempt)).status).toBe(403)
    }
    expect(
      (await put({ uploadUrl: '/api/uploads/..%2f..%2fx', uploadToken: mine.uploadToken }, wave))
        .status,
    ).toBe(404)
    expect(await stored(mine)).toBeNull()
    expect([await scratch(), await partials()]).toEqual([[], []])
  })

  test('is taken once, and not after its hour', async () => {
    const [used, late] = [await sign({ size: 4 }), await sign({ size: 4 })]
    await put(used, Buffer.from('wave'))
    expect(await put(used, Buffer.from('evil'))).toMatchObject({ status: 409, code: 'upload_used' })
    expect((await stored(used))?.toString()).toBe('wave')
    passedMs = hourMs + 1000
    expect(await put(late, Buffer.from('wave'))).toMatchObject({
      status: 410,
      code: 'upload_expired',
    })
  })

  test.each([
    ['shorter', 99_999, 'upload_incomplete'],
    ['empty', 0, 'upload_incomplete'],
    ['longer', 100_001, 'payload_too_large'],
    ['much longer', 30_000_000, 'payload_too_large'],
  ])('that is %s than announced leaves nothing behind', async (_what, length, code) => {
    const signed = await sign({ size: 100_000 })
    // With its length in the head, and without.
    expect((await put(signed, Buffer.alloc(length))).code).toBe(code)
    expect((await put(signed, Readable.from(chunks(length)))).code).toBe(code)
    expect([await stored(signed), await scratch(), await partials()]).toEqual([null, [], []])
    // The permission is still good for the right file.
    expect((await put(signed, Buffer.alloc(100_000))).status).toBe(204)
  })

  test('of no announced size stays below the limit of its bucket', async () => {
    const limit = 20 * 1024 ** 2
    const signed = await sign({ bucket: 'covers', filename: 'a.png', mime: 'image/png' })
    const headers = { 'content-type': 'image/png' }
    expect((await put(signed, Readable.from(chunks(limit + 1)), headers)).code).toBe(
      'payload_too_large',
    )
    expect((await put(signed, Buffer.alloc(limit + 1), headers)).code).toBe('payload_too_large')
    expect((await put(signed, Readable.from(chunks(limit)), headers)).status).toBe(204)
  })

  test('sent twice at once is one of the two, whole', async () => {
    const signed = await sign()
    const bodies = [randomBytes(2_000_000), randomBytes(2_000_000)]
    const answers = await Promise.all(bodies.map((body) => put(signed, body)))
    const winner = answers.findIndex(({ status }) => status === 204)
    expect(answers[1 - winner]).toMatchObject({ status: 409, code: 'upload_used' })
    expect((await stored(signed))?.equals(bodies[winner]!)).toBe(true)
    expect((await rowOf(signed))?.sha256).toBe(sha256(bodies[winner]!))
    expect(await scratch()).toEqual([])
  })

  test('whose sender goes away leaves nothing behind', async () => {
    const signed = await sign({ size: 10_000_000 })
    const request = httpRequest(`${server.url}${signed.uploadUrl}`, {
      method: 'PUT',
      headers: {
        cookie: admin.cookie,
        'upload-token': signed.uploadToken,
        'content-type': 'audio/wav',
        'content-length': 10_000_000,
      },
    })
    request.on('error', () => {})
    request.write(Buffer.alloc(1_000_000))
    await vi.waitFor(async () => expect(await scratch()).toHaveLength(1))
    request.destroy()
    await vi.waitFor(async () => expect(await scratch()).toEqual([]))
    expect((await rowOf(signed))?.status).toBe('open')
  })
})

describe('a file in parts', () => {
  /** Runs the client until it is done, or until `stopAfter` bytes are acknowledged. */
  function upload(
    bytes: Buffer,
    signed: Signed,
    { stopAfter = Infinity, byCreation = false, url = server.url } = {},
  ): Promise<{ sent: number; error?: Error }> {
    return new Promise((resolve) => {
      let sent = 0
      const address = `${url}${signed.uploadUrl}`
      const client = new Upload(bytes, {
        ...(byCreation ? { endpoint: address } : { uploadUrl: address }),
        headers: { 'upload-token': signed.uploadToken, cookie: admin.cookie },
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

  test('arrives as it is', async () => {
    const bytes = randomBytes(1_500_000)
    const signed = await sign({ size: bytes.length })
    expect(await upload(bytes, signed)).toEqual({ sent: bytes.length })
    expect((await stored(signed))?.equals(bytes)).toBe(true)
    expect(await rowOf(signed)).toMatchObject({ status: 'complete', sha256: sha256(bytes) })
    expect(await partials()).toEqual([])
  })

  test('goes on where it was, on another server over the same data', async () => {
    const bytes = randomBytes(1_500_000)
    const signed = await sign({ size: bytes.length })
    const { sent } = await upload(bytes, signed, { stopAfter: 500_000 })
    expect(sent).toBeLessThan(bytes.length)

    const next = Fastify()
    handleErrors(next)
    const route = createRoute(next, {
      db: server.services.db,
      now: server.services.now,
      findActor: server.services.auth.findActor,
      isMaintenance: () => false,
      strictOutput: true,
    })
    uploadRoutes(route, next, server.services)
    const offsets: unknown[] = []
    next.addHook('onRequest', async ({ headers }) => void offsets.push(headers['upload-offset']))
    const url = await next.listen({ port: 0, host: '127.0.0.1' })
    const resumed = await upload(bytes, signed, { url })
    expect(resumed.error).toBeUndefined()
    // A question, and then the parts that were missing.
    expect(offsets.slice(0, 2)).toEqual([undefined, String(sent)])
    expect((await stored(signed))?.equals(bytes)).toBe(true)
    await next.close()
  })

  test('keeps what arrived before the line broke', async () => {
    const bytes = randomBytes(1_000_000)
    const signed = await sign({ size: bytes.length })
    const broken = httpRequest(`${server.url}${signed.uploadUrl}`, {
      method: 'PATCH',
      headers: {
        ...tusHeaders,
        cookie: admin.cookie,
        'upload-token': signed.uploadToken,
        'upload-offset': 0,
        'content-type': 'application/offset+octet-stream',
        'content-length': bytes.length,
      },
    })
    broken.on('error', () => {})
    broken.write(bytes.subarray(0, 400_000))
    await vi.waitFor(async () => expect(await partials()).toContain(signed.id))
    broken.destroy()
    let offset = 0
    await vi.waitFor(async () => {
      offset = Number((await head(signed)).headers['upload-offset'])
      expect(offset).toBeGreaterThan(0)
    })
    expect(offset).toBeLessThanOrEqual(400_000)
    expect((await patch(signed, offset, bytes.subarray(offset))).status).toBe(204)
    expect((await stored(signed))?.equals(bytes)).toBe(true)
  })

  test('of unknown size starts by telling its length', async () => {
    const bytes = randomBytes(600_000)
    const signed = await sign()
    expect((await head(signed)).status).toBe(404)
    expect(await upload(bytes, signed, { byCreation: true })).toEqual({ sent: bytes.length })
    expect((await stored(signed))?.equals(bytes)).toBe(true)
  })

  test.each([
    ['another size than announced', { size: 10 }, '11', 'payload_too_large'],
    ['more than its bucket takes', {}, String(2 * 1024 ** 3 + 1), 'payload_too_large'],
    ['nothing', {}, '0', 'upload_incomplete'],
    ['no number', {}, 'many', 'invalid_input'],
  ])('cannot start with %s', async (_what, body, length, code) => {
    const signed = await sign(body)
    const answer = await send('POST', signed, null, { ...tusHeaders, 'upload-length': length })
    expect(answer.code).toBe(code)
    expect(answer.headers['tus-resumable']).toBe('1.0.0')
  })

  test('takes no part at another place, nor more than its size', async () => {
    const signed = await sign({ size: 20_000_000 })
    expect((await patch(signed, 0, Buffer.alloc(1000, 'a'))).headers).toMatchObject({
      'upload-offset': '1000',
      'tus-resumable': '1.0.0',
    })
    // Large ones, so that the answer has to find its way past what is still being sent.
    expect(await patch(signed, 500, Buffer.alloc(15_000_000))).toMatchObject({
      status: 409,
      code: 'upload_offset',
    })
    expect(await patch(signed, 2000, Buffer.alloc(15_000_000))).toMatchObject({
      status: 409,
      code: 'upload_offset',
    })
    expect(await patch(signed, 1000, Buffer.alloc(20_000_000))).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    })
    expect((await patch(signed, 1000, Readable.from(chunks(20_000_000)))).status).toBe(413)
    const { headers } = await head(signed)
    expect(Number(headers['upload-offset'])).toBeLessThan(20_000_000)
  })

  test('sent by two at once is never mixed', async () => {
    const size = 4_000_000
    const signed = await sign({ size })
    const bodies = [Buffer.alloc(size, 'a'), Buffer.alloc(size, 'b')]
    await Promise.all(bodies.map((body) => patch(signed, 0, body).catch(() => null)))
    for (let turn = 0; turn < 3 && !(await stored(signed)); turn++) {
      const offset = Number((await head(signed)).headers['upload-offset'])
      if (offset < size) await patch(signed, offset, bodies[0]!.subarray(offset))
    }
    const bytes = await stored(signed)
    expect(bytes).toHaveLength(size)
    const border = bytes!.lastIndexOf('b') + 1
    expect(
      bytes!.equals(Buffer.concat([Buffer.alloc(border, 'b'), Buffer.alloc(size - border, 'a')])),
    ).toBe(true)
  })

  test('whose last answer was lost says that it is here', async () => {
    const signed = await sign({ size: 4 })
    await patch(signed, 0, Buffer.from('wave'))
    expect(await head(signed)).toMatchObject({
      status: 200,
      headers: { 'upload-offset': '4', 'upload-length': '4', 'cache-control': 'no-store' },
    })
    expect((await patch(signed, 4, Buffer.alloc(0))).code).toBe('upload_used')
  })

  test('that was whole when the server was killed is completed by the next question', async () => {
    const signed = await sign({ size: 4 })
    const folder = join(server.services.config.dataDir, 'uploads')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, signed.id), 'wave')
    const answers = await Promise.all([head(signed), head(signed), head(signed)])
    for (const answer of answers) {
      expect([answer.status, answer.headers['upload-offset']]).toEqual([200, '4'])
    }
    expect((await stored(signed))?.toString()).toBe('wave')
  })

  test('can be given up', async () => {
    const signed = await sign({ size: 1000 })
    await patch(signed, 0, Buffer.alloc(500))
    expect(await partials()).toContain(signed.id)
    expect((await send('DELETE', signed, null, tusHeaders)).status).toBe(204)
    expect(await partials()).not.toContain(signed.id)
    expect((await head(signed)).status).toBe(403)
  })

  test('has an hour from each part on, and a day in all', async () => {
    const signed = await sign({ size: 1000 })
    const expiry = async () =>
      Date.parse(String((await head(signed)).headers['upload-expires'])) - Date.now()
    expect(await expiry()).toBeLessThanOrEqual(hourMs)
    for (let part = 0; part < 28; part++) {
      passedMs = part * 50 * minuteMs
      expect(await patch(signed, part, Buffer.from('x'))).toMatchObject({ status: 204 })
    }
    expect(await expiry()).toBeGreaterThan(23 * hourMs)
    passedMs = 24 * hourMs + minuteMs
    expect(await patch(signed, 28, Buffer.from('x'))).toMatchObject({
      status: 410,
      code: 'upload_expired',
    })
  })

  test('speaks the protocol only in its version, and to its own site', async () => {
    const signed = await sign({ size: 10 })
    const body = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    expect((await send('PATCH', signed, Buffer.from('x'), body)).status).toBe(400)
    const other = await send('PATCH', signed, Buffer.from('x'), {
      ...tusHeaders,
      ...body,
      origin: 'https://evil.test',
    })
    expect(other.code).toBe('foreign_origin')
    const good = await patch(signed, 0, Buffer.from('x'))
    expect(good.headers).not.toHaveProperty('access-control-allow-origin')
    expect(good.headers).toHaveProperty('x-request-id')
  })
})

describe('time takes away', () => {
  test('a finished file that nobody used, after a day, with its row', async () => {
    const signed = await sign({ size: 4 })
    await put(signed, Buffer.from('wave'))
    passedMs = 23 * hourMs
    await sweep()
    expect((await stored(signed))?.toString()).toBe('wave')
    passedMs = 26 * hourMs
    await sweep()
    expect([await stored(signed), await rowOf(signed)]).toEqual([null, undefined])
  })

  test('the row of a used one, but never the file that somebody owns', async () => {
    const signed = await sign({ size: 4 })
    await put(signed, Buffer.from('wave'))
    await transaction(server.services.db, async (trx) => {
      const upload = await useUpload(trx, { path: signed.path, bucket: 'audio', userId: admin.id })
      await claimKeys(trx, [upload.storageKey])
    })
    passedMs = 30 * hourMs
    await sweep()
    expect(await rowOf(signed)).toBeUndefined()
    expect((await stored(signed))?.toString()).toBe('wave')
  })

  test('parts that did not go on', async () => {
    const signed = await sign({ size: 1000 })
    await patch(signed, 0, Buffer.alloc(500))
    passedMs = 1.5 * hourMs
    await sweep()
    expect(await partials()).toContain(signed.id)
    passedMs = 4 * hourMs
    await sweep()
    expect([await partials(), await rowOf(signed)]).toEqual([[], undefined])
  })

  test('an object that a kill left without its row saying so', async () => {
    const signed = await sign({ size: 4 })
    // Moved to its place, and then the transaction never came to its end.
    await server.services.storage.put(signed.path, Buffer.from('wave'))
    passedMs = 3 * hourMs
    await sweep()
    expect([await stored(signed), await rowOf(signed)]).toEqual([null, undefined])
  })
})

function* chunks(byteSize: number) {
  for (let left = byteSize; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536))
}
