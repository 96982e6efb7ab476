// Files that go to an object store in parts, over HTTP, on two instances that share a database and a store and nothing
// else.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importTrack } from '#contract/track-imports.ts'
import {
  completeUploadParts,
  listUploadParts,
  partsPerQuestion,
  signUploadParts,
} from '#contract/upload-parts.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { createApp } from '../app.ts'
import { wavBytes } from '../media/audio-fixtures.ts'
import { startServices } from '../services.ts'
import { keysOf } from '../storage/storage-compliance.ts'
import { sweepStorageGarbage } from '../storage/storage-garbage.ts'
import type { S3Server } from '../testing/s3-server.ts'
import { startS3StandIn } from '../testing/s3-stand-in.ts'
import { sendBody } from '../testing/send-body.ts'
import { createTestApp, type Person, type TestApp } from '../testing/test-app.ts'
import { sweepUploads } from './sweep-uploads.ts'

const partBytes = 8 * 1024 ** 2
const hourMs = 3_600_000

let store: S3Server
let server: TestApp
let other: { url: string; dataDir: string; close: () => Promise<void> }
let admin: Person
let colleague: Person
let member: Person
let passedMs = 0

const now = () => new Date(Date.now() + passedMs)

beforeAll(async () => {
  store = await startS3StandIn()
  server = await createTestApp({ s3: store.options, secret: 's'.repeat(40) }, { now })
  other = await startOther()
  admin = await server.makePerson({ role: 'admin' })
  colleague = await server.makePerson({ role: 'admin' })
  member = await server.makePerson()
})
afterAll(async () => {
  await other.close()
  await server.close()
  await store.close()
})
beforeEach(() => {
  passedMs = 0
})

/** One that passes parts on instead of naming the store. */
async function startOther(): Promise<typeof other> {
  const dataDir = await mkdtemp(join(tmpdir(), 'velour-other-'))
  const log = pino({ level: 'fatal' })
  const config = { ...server.services.config, dataDir, s3Upload: 'proxy' as const }
  const running = await startServices(config, log, { now })
  const app = await createApp(running.services, { log, webFolder: null, strictOutput: true })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    dataDir,
    async close() {
      running.announceStop()
      app.server.closeAllConnections()
      await app.close()
      await running.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

interface Signed {
  id: string
  path: string
  uploadUrl: string
  uploadToken: string
  transport: string | null
}

async function sign(size: number, body: object = {}): Promise<Signed> {
  const answer = await admin.send('POST', createSignedUpload.path, {
    body: { bucket: 'audio', filename: 'song.wav', mime: 'audio/wav', size, ...body },
  })
  if (answer.status !== 200) throw new Error(`Refused: ${answer.code}`)
  const signed = answer.body as Omit<Signed, 'id'>
  return { ...signed, id: signed.uploadUrl.split('/').at(-1)! }
}

const list = ({ id }: Pick<Signed, 'id'>, who = admin) =>
  who.call(listUploadParts, { params: { id } })
const address = (
  { id }: Pick<Signed, 'id'>,
  numbers: number[],
  { who = admin, through_server = false } = {},
) => who.call(signUploadParts, { params: { id }, body: { numbers, through_server } })
const complete = ({ id }: Pick<Signed, 'id'>, sha256?: string, who = admin) =>
  who.call(completeUploadParts, { params: { id }, body: sha256 ? { sha256 } : {} })

const cut = (bytes: Buffer, number: number) =>
  bytes.subarray((number - 1) * partBytes, number * partBytes)

/** Straight to the store, as a browser does it. */
async function bring(signed: Signed, bytes: Buffer, numbers: number[]): Promise<void> {
  const { body } = await address(signed, numbers)
  for (const { number, url } of body.data) {
    expect(new URL(url).origin).toBe(store.options.endpoint)
    const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(cut(bytes, number)) })
    expect(answer.status).toBe(200)
  }
}

/** `length` is what the head says of the body. */
const pass = (
  url: string,
  body: Buffer,
  { who = admin, length = body.length }: { who?: Person; length?: number } = {},
) =>
  sendBody({
    url,
    method: 'PUT',
    headers: {
      cookie: who.cookie,
      'content-type': 'application/octet-stream',
      'content-length': String(length),
    },
    body,
  })

const rowOf = ({ path }: Signed) =>
  server.services.db.query
    .selectFrom('uploads')
    .selectAll()
    .where('path', '=', path)
    .executeTakeFirst()
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function sweep(): Promise<void> {
  await sweepUploads(server.services, server.services.now())
  await sweepStorageGarbage(server.services.db, server.services.storage, now())
}

async function nothingRemains(signed: Signed): Promise<void> {
  await sweep()
  expect(await rowOf(signed)).toBeUndefined()
  expect(await keysOf(server.services.storage, signed.path)).toEqual([])
  expect(await store.countUnfinished()).toBe(0)
}

describe('a file in parts', () => {
  test('begins on one instance, goes on days later on another, and is whole on both', async () => {
    const bytes = randomBytes(2 * partBytes + 12_345)
    const signed = await sign(bytes.length)
    expect(signed.transport).toBe('parts')
    expect((await list(signed)).body).toMatchObject({
      byte_size: bytes.length,
      part_bytes: partBytes,
      data: [],
    })
    await bring(signed, bytes, [3, 1])

    passedMs = 40 * hourMs
    const elsewhere = `${other.url}/api/uploads/${signed.id}`
    const headers = { cookie: admin.cookie, 'content-type': 'application/json' }
    const listed = await (await fetch(`${elsewhere}/parts`, { headers })).json()
    expect(listed).toMatchObject({
      data: [
        { number: 1, byte_size: partBytes },
        { number: 3, byte_size: 12_345 },
      ],
    })
    const asked = await fetch(`${elsewhere}/parts`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ numbers: [2] }),
    })
    const { data } = (await asked.json()) as { data: { url: string; byte_size: number }[] }
    expect(data).toEqual([
      { number: 2, byte_size: partBytes, url: `/api/uploads/${signed.id}/parts/2` },
    ])
    expect((await complete(signed)).code).toBe('upload_incomplete')
    expect(await pass(`${other.url}${data[0]!.url}`, cut(bytes, 2))).toMatchObject({
      status: 204,
      code: null,
    })

    expect((await complete(signed, sha256(bytes))).status).toBe(204)
    expect(await rowOf(signed)).toMatchObject({
      status: 'complete',
      sha256: sha256(bytes),
      byte_size: bytes.length,
    })
    const key = signed.path
    expect((await server.services.storage.read(key)).equals(bytes)).toBe(true)
    // Again, by whoever missed the answer; and no part comes after it.
    expect((await complete(signed)).status).toBe(204)
    expect((await list(signed)).code).toBe('upload_used')
    expect((await address(signed, [1])).code).toBe('upload_used')
    // Nothing of it was on a disk of ours.
    for (const dataDir of [server.services.config.dataDir, other.dataDir]) {
      expect(await readdir(join(dataDir, 'uploads')).catch(() => [])).toEqual([])
    }
  })

  test('becomes a track, and a lie becomes none and leaves nothing', async () => {
    const music = Buffer.from(wavBytes((t) => Math.sin(t * 2764), { seconds: 1 }))
    const lie = Buffer.concat([Buffer.from('GIF89a<script>alert(1)</script>'), randomBytes(50_000)])
    const results = []
    for (const bytes of [music, lie]) {
      const signed = await sign(bytes.length)
      await bring(signed, bytes, [1])
      expect((await complete(signed)).status).toBe(204)
      const body = { audio_path: signed.path, batch: signed.id, allow_duplicate: false }
      const answer = await admin.call(importTrack, { body })
      results.push(answer.code ?? answer.body.data.title)
      if (answer.code) await nothingRemains(signed)
    }
    expect(results).toEqual(['song', 'unsupported_media'])
  })

  test('put together by two at once is one file', async () => {
    const bytes = randomBytes(100_000)
    const signed = await sign(bytes.length)
    await bring(signed, bytes, [1])
    const answers = await Promise.all([1, 2, 3, 4].map(() => complete(signed)))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect((await server.services.storage.read(signed.path)).equals(bytes)).toBe(true)
  })

  test('that a kill left whole in the store, but not in its row, is found whole', async () => {
    const bytes = randomBytes(5000)
    const signed = await sign(bytes.length)
    await bring(signed, bytes, [1])
    const row = await rowOf(signed)
    const object = { key: signed.path, uploadId: row!.store_upload_id! }
    const { parts } = server.services.storage
    await parts!.complete(object, await parts!.list(object))
    expect((await list(signed)).body.data).toEqual([{ number: 1, byte_size: 5000 }])
    expect((await complete(signed, sha256(bytes))).status).toBe(204)
    expect((await rowOf(signed))?.status).toBe('complete')
  })

  test('begun by two at once is one upload in the store', async () => {
    const signed = await sign(1000)
    const before = await store.countUnfinished()
    await Promise.all([1, 2, 3, 4, 5].map(() => list(signed)))
    expect(await store.countUnfinished()).toBe(before + 1)
    await admin.send('DELETE', signed.uploadUrl, {
      headers: { 'upload-token': signed.uploadToken },
    })
    await nothingRemains(signed)
  })

  test('may still come whole instead, but not both ways', async () => {
    const bytes = Buffer.from(wavBytes((t) => Math.sin(t * 1000), { seconds: 0.1 }))
    const [whole, both] = [await sign(bytes.length), await sign(bytes.length)]
    await list(both)
    const put = (signed: Signed) =>
      fetch(`${server.url}${signed.uploadUrl}`, {
        method: 'PUT',
        headers: {
          cookie: admin.cookie,
          'upload-token': signed.uploadToken,
          'content-type': 'audio/wav',
        },
        body: new Uint8Array(bytes),
      })
    expect((await put(whole)).status).toBe(204)
    expect((await put(both)).status).toBe(409)
    expect((await rowOf(whole))?.sha256).toBe(sha256(bytes))
  })

  test('does not wait in the folder of one instance', async () => {
    const signed = await sign(1000)
    const headers = { 'upload-token': signed.uploadToken, 'tus-resumable': '1.0.0' }
    const tus = await admin.send('PATCH', signed.uploadUrl, {
      headers: {
        ...headers,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: 'bytes',
    })
    expect(tus.code).toBe('upload_transport')
    expect((await admin.send('HEAD', signed.uploadUrl, { headers })).status).toBe(409)
    const cover = await admin.send('POST', createSignedUpload.path, {
      body: { bucket: 'covers', filename: 'a.png', mime: 'image/png', size: 10 },
    })
    expect((cover.body as Signed).transport).toBeNull()
  })
})

describe('refused', () => {
  test('whoever is not its admin', async () => {
    const signed = await sign(1000)
    const asWhom = async (who: Person) => [
      (await list(signed, who)).code,
      (await address(signed, [1], { who })).code,
      (await complete(signed, undefined, who)).code,
      (await pass(`${server.url}/api/uploads/${signed.id}/parts/1`, Buffer.alloc(1000), { who }))
        .code,
    ]
    expect(new Set(await asWhom(colleague))).toEqual(new Set(['upload_not_found']))
    expect(new Set(await asWhom(member))).toEqual(new Set(['forbidden']))
    expect((await list({ id: '0190a0a0-0000-7000-8000-000000000001' })).code).toBe(
      'upload_not_found',
    )
    expect((await rowOf(signed))?.store_upload_id).toBeNull()
  })

  test('more than 2 GB, ten of them, and nothing', async () => {
    for (const [size, code] of [
      [2 * 1024 ** 3 + 1, 'payload_too_large'],
      [10 * 1024 ** 3, 'payload_too_large'],
      [0, 'invalid_input'],
    ] as const) {
      const body = { bucket: 'audio', filename: 'a.wav', mime: 'audio/wav', size }
      expect((await admin.send('POST', createSignedUpload.path, { body })).code).toBe(code)
    }
    const largest = await sign(2 * 1024 ** 3)
    expect((await address(largest, [256])).status).toBe(200)
  })

  test('parts that the file does not have', async () => {
    const signed = await sign(partBytes + 1)
    for (const numbers of [[0], [3], [1, 2, 3], [-1], [1.5], [10_001], []]) {
      expect((await address(signed, numbers)).code).toBe('invalid_input')
    }
    const many = Array.from({ length: partsPerQuestion + 1 }, () => 1)
    expect((await address(signed, many)).code).toBe('invalid_input')
    for (const number of ['0', '3', 'x', '1e9', '-1']) {
      const url = `${server.url}/api/uploads/${signed.id}/parts/${number}`
      expect((await pass(url, Buffer.from('x'))).status).toBe(404)
    }
  })

  test('parts of another length', async () => {
    const signed = await sign(partBytes + 100)
    const url = `${server.url}/api/uploads/${signed.id}/parts/2`
    expect((await pass(url, Buffer.alloc(101))).code).toBe('payload_too_large')
    expect((await pass(url, Buffer.alloc(10_000_000))).code).toBe('payload_too_large')
    expect((await pass(url, Buffer.alloc(99))).code).toBe('upload_incomplete')
    expect((await list(signed)).body.data).toEqual([])
    // The stand-in believes any length: what it has stored of another one is missing.
    const { body } = await address(signed, [1, 2])
    for (const { url: at } of body.data) await fetch(at, { method: 'PUT', body: 'too short' })
    expect((await list(signed)).body.data).toEqual([])
    expect((await complete(signed)).code).toBe('upload_incomplete')
    expect(await server.services.storage.stat(signed.path)).toBeNull()
  })

  test('a file that was damaged on its way, and nothing of it remains', async () => {
    const bytes = randomBytes(1000)
    const signed = await sign(bytes.length)
    await bring(signed, bytes, [1])
    expect((await complete(signed, 'nonsense')).code).toBe('invalid_input')
    expect((await complete(signed, sha256(randomBytes(8)))).code).toBe('upload_damaged')
    expect((await complete(signed)).code).toBe('upload_not_found')
    await sweep()
    expect(await keysOf(server.services.storage, signed.path)).toEqual([])
  })

  test('what the store has thrown away', async () => {
    const signed = await sign(1000)
    await bring(signed, randomBytes(1000), [1])
    await server.services.storage.delete(signed.path)
    expect((await list(signed)).code).toBe('upload_expired')
    expect((await complete(signed)).code).toBe('upload_expired')
    const url = `${server.url}/api/uploads/${signed.id}/parts/1`
    expect((await pass(url, Buffer.alloc(1000))).code).toBe('upload_expired')
  })
})

describe('time', () => {
  test('takes what was begun and not gone on with after two days', async () => {
    const bytes = randomBytes(partBytes + 10)
    const signed = await sign(bytes.length)
    await bring(signed, bytes, [1])
    passedMs = 47 * hourMs
    expect((await address(signed, [2])).status).toBe(200)
    passedMs = 90 * hourMs
    await sweep()
    expect((await list(signed)).body.data).toHaveLength(1)
    passedMs = 47 * hourMs + 49 * hourMs
    expect((await list(signed)).code).toBe('upload_expired')
    passedMs += 2 * hourMs
    await sweep()
    expect(await rowOf(signed)).toBeUndefined()
    expect((await list(signed)).code).toBe('upload_not_found')
    expect(await store.countUnfinished()).toBe(0)
  })

  test('is a week at most', async () => {
    const signed = await sign(1000)
    for (let day = 0; day < 7; day++) {
      passedMs = day * 24 * hourMs
      expect((await address(signed, [1])).status).toBe(200)
    }
    passedMs = 7 * 24 * hourMs + 1000
    expect((await address(signed, [1])).code).toBe('upload_expired')
  })
})
