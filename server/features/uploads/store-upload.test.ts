// Multipart uploads to an object store, over HTTP, with two instances that share only a database and a store.
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importTrack } from '#contract/admin/track-imports.ts'
import { wavBytes } from '../../testing/audio-fixtures.ts'
import {
  createStoreUploadTestApp,
  cut,
  partBytes,
  type StoreUploadTestApp,
} from '../../testing/store-upload-test-app.ts'
import { hourMs, sha256, type Signed } from '../../testing/upload-test-app.ts'

let uploads: StoreUploadTestApp
let other: Awaited<ReturnType<StoreUploadTestApp['startOther']>>

beforeAll(async () => {
  uploads = await createStoreUploadTestApp()
  other = await uploads.startOther()
})
afterAll(async () => {
  await other.close()
  await uploads.close()
})
beforeEach(() => {
  uploads.clock.passedMs = 0
})

test('a multipart upload starts on one instance, continues days later on another, and is complete on both', async () => {
  const bytes = randomBytes(2 * partBytes + 12_345)
  const signed = await uploads.sign({ size: bytes.length })
  expect(signed.transport).toBe('parts')
  expect((await uploads.list(signed)).body).toMatchObject({
    byte_size: bytes.length,
    part_bytes: partBytes,
    data: [],
  })
  await uploads.bring(signed, bytes, [3, 1])

  uploads.clock.passedMs = 40 * hourMs
  const elsewhere = `${other.url}/api/uploads/${signed.id}`
  const headers = { cookie: uploads.admin.cookie, 'content-type': 'application/json' }
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
  expect((await uploads.complete(signed)).code).toBe('upload_incomplete')
  expect(await uploads.pass(`${other.url}${data[0]!.url}`, cut(bytes, 2))).toMatchObject({
    status: 204,
    code: null,
  })

  expect((await uploads.complete(signed, sha256(bytes))).status).toBe(204)
  expect(await uploads.rowOf(signed)).toMatchObject({
    status: 'complete',
    sha256: sha256(bytes),
    byte_size: bytes.length,
  })
  const key = signed.path
  expect((await uploads.server.services.storage.read(key)).equals(bytes)).toBe(true)
  // Completing again succeeds, as after a lost response; further parts are refused.
  expect((await uploads.complete(signed)).status).toBe(204)
  expect((await uploads.list(signed)).code).toBe('upload_used')
  expect((await uploads.address(signed, [1])).code).toBe('upload_used')
  // None of it was on a local disk.
  for (const dataDir of [uploads.server.services.config.dataDir, other.dataDir]) {
    expect(await readdir(join(dataDir, 'uploads')).catch(() => [])).toEqual([])
  }
})

test('a multipart upload becomes a track; one with a wrong announcement does not, and leaves nothing behind', async () => {
  const music = Buffer.from(wavBytes((t) => Math.sin(t * 2764), { seconds: 1 }))
  const lie = Buffer.concat([Buffer.from('GIF89a<script>alert(1)</script>'), randomBytes(50_000)])
  const results = []
  for (const bytes of [music, lie]) {
    const signed = await uploads.sign({ size: bytes.length })
    await uploads.bring(signed, bytes, [1])
    expect((await uploads.complete(signed)).status).toBe(204)
    const body = { audio_path: signed.path, batch: signed.id, allow_duplicate: false }
    const answer = await uploads.admin.call(importTrack, { body })
    results.push(answer.code ?? answer.body.data.title)
    if (answer.code) await uploads.nothingRemains(signed)
  }
  expect(results).toEqual(['song', 'unsupported_media'])
})

test('a multipart upload completed twice concurrently yields one file', async () => {
  const bytes = randomBytes(100_000)
  const signed = await uploads.sign({ size: bytes.length })
  await uploads.bring(signed, bytes, [1])
  const answers = await Promise.all([1, 2, 3, 4].map(() => uploads.complete(signed)))
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
  expect((await uploads.server.services.storage.read(signed.path)).equals(bytes)).toBe(true)
})

test('a multipart upload that was completed in the store before a crash, but not in its row, is found complete', async () => {
  const bytes = randomBytes(5000)
  const signed = await uploads.sign({ size: bytes.length })
  await uploads.bring(signed, bytes, [1])
  const row = await uploads.rowOf(signed)
  const object = { key: signed.path, uploadId: row!.store_upload_id! }
  const { parts } = uploads.server.services.storage
  await parts!.complete(object, await parts!.list(object))
  expect((await uploads.list(signed)).body.data).toEqual([{ number: 1, byte_size: 5000 }])
  expect((await uploads.complete(signed, sha256(bytes))).status).toBe(204)
  expect((await uploads.rowOf(signed))?.status).toBe('complete')
})

test('a multipart upload started twice concurrently is one upload in the store', async () => {
  const signed = await uploads.sign({ size: 1000 })
  const before = await uploads.store.countUnfinished()
  await Promise.all([1, 2, 3, 4, 5].map(() => uploads.list(signed)))
  expect(await uploads.store.countUnfinished()).toBe(before + 1)
  await uploads.admin.send('DELETE', signed.uploadUrl, {
    headers: { 'upload-token': signed.uploadToken },
  })
  await uploads.nothingRemains(signed)
})

test('a file may be sent by PUT instead of in parts, but not both ways', async () => {
  const bytes = Buffer.from(wavBytes((t) => Math.sin(t * 1000), { seconds: 0.1 }))
  const [whole, both] = [
    await uploads.sign({ size: bytes.length }),
    await uploads.sign({ size: bytes.length }),
  ]
  await uploads.list(both)
  expect((await uploads.put(whole, bytes)).status).toBe(204)
  expect((await uploads.put(both, bytes)).status).toBe(409)
  expect((await uploads.rowOf(whole))?.sha256).toBe(sha256(bytes))
})

test("a multipart upload is not buffered in one instance's folder", async () => {
  const signed = await uploads.sign({ size: 1000 })
  const headers = { 'upload-token': signed.uploadToken, 'tus-resumable': '1.0.0' }
  const tus = await uploads.admin.send('PATCH', signed.uploadUrl, {
    headers: {
      ...headers,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: 'bytes',
  })
  expect(tus.code).toBe('upload_transport')
  expect((await uploads.admin.send('HEAD', signed.uploadUrl, { headers })).status).toBe(409)
  const cover = await uploads.ask({
    bucket: 'covers',
    filename: 'a.png',
    mime: 'image/png',
    size: 10,
  })
  expect((cover.body as Signed).transport).toBeNull()
})
