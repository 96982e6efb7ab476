// Uploads in parts over HTTP, on disk and with an object store, with two instances that share only the database and the
// storage.
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importTrack } from '#contract/admin/track-imports.ts'
import { encodeWav } from '../../testing/audio-fixtures.ts'
import {
  createPartsUploadTestApp,
  cut,
  partBytes,
  type PartsUploadTestApp,
} from '../../testing/parts-upload-test-app.ts'
import { hourMs, sha256 } from '../../testing/upload-test-app.ts'

describe.each(['disk', 'store'] as const)('uploads in parts with a %s', (where) => {
  let uploads: PartsUploadTestApp
  let other: Awaited<ReturnType<PartsUploadTestApp['startOther']>>

  beforeAll(async () => {
    uploads = await createPartsUploadTestApp(where)
    other = await uploads.startOther()
  })
  afterAll(async () => {
    await other.close()
    await uploads.close()
  })
  beforeEach(() => {
    uploads.clock.passedMs = 0
  })

  test('start on one instance, continue days later on another, and are complete on both', async () => {
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
    const partsResponse = await fetch(`${elsewhere}/parts`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ numbers: [2] }),
    })
    const { data } = (await partsResponse.json()) as { data: unknown[] }
    expect(data).toEqual([
      { number: 2, byte_size: partBytes, url: `/api/uploads/${signed.id}/parts/2` },
    ])
    expect((await uploads.complete(signed)).code).toBe('upload_incomplete')
    expect(await uploads.sendPart(signed, 2, cut(bytes, 2), { url: other.url })).toMatchObject({
      status: 204,
      code: null,
    })

    expect((await uploads.complete(signed, sha256(bytes))).status).toBe(204)
    expect(await uploads.rowOf(signed)).toMatchObject({
      status: 'complete',
      sha256: sha256(bytes),
      byte_size: bytes.length,
    })
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
    // Completing again succeeds, because the client may have missed the first response. Further parts are rejected.
    expect((await uploads.complete(signed)).status).toBe(204)
    expect((await uploads.list(signed)).code).toBe('upload_used')
    expect((await uploads.address(signed, [1])).code).toBe('upload_used')
    expect((await uploads.sendPart(signed, 1, cut(bytes, 1))).code).toBe('upload_used')
    expect(await uploads.countUnfinished()).toBe(0)
    if (where === 'disk') expect(await uploads.scratch()).toEqual([])
    // With an object store, parts are never written to the local disk.
    else expect(await readdir(join(other.dataDir, 'scratch'), { recursive: true })).toHaveLength(1)
  })

  test('can be imported as a track; if the file is not audio, it is rejected and deleted', async () => {
    const music = Buffer.from(encodeWav((t) => Math.sin(t * 2764), { seconds: 1 }))
    const markup = Buffer.from('GIF89a<script>alert(1)</script>')
    const lie = Buffer.concat([markup, randomBytes(50_000)])
    const results = []
    for (const bytes of [music, lie]) {
      const signed = await uploads.sign({ size: bytes.length })
      await uploads.bring(signed, bytes, [1])
      expect((await uploads.complete(signed)).status).toBe(204)
      const body = { audio_path: signed.path, batch: signed.id, allow_duplicate: false }
      const result = await uploads.admin.call(importTrack, { body })
      results.push(result.code ?? result.body.data.title)
      if (result.code) await uploads.nothingRemains(signed)
    }
    expect(results).toEqual(['song', 'unsupported_media'])
  })

  test('accept parts concurrently and in any order', async () => {
    const bytes = randomBytes(3 * partBytes)
    const signed = await uploads.sign({ size: bytes.length })
    await Promise.all([3, 1, 2].map((number) => uploads.bring(signed, bytes, [number])))
    expect((await uploads.complete(signed, sha256(bytes))).status).toBe(204)
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
  })

  test('use the part that was sent last when a part is sent twice', async () => {
    const [wrong, bytes] = [randomBytes(1000), randomBytes(1000)]
    const signed = await uploads.sign({ size: bytes.length })
    await uploads.bring(signed, wrong, [1])
    await uploads.bring(signed, bytes, [1])
    expect((await uploads.complete(signed, sha256(bytes))).status).toBe(204)
  })

  test('store one file if four requests complete them concurrently', async () => {
    const bytes = randomBytes(partBytes + 100_000)
    const signed = await uploads.sign({ size: bytes.length })
    await uploads.bring(signed, bytes, [1, 2])
    const responses = await Promise.all([1, 2, 3, 4].map(() => uploads.complete(signed)))
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect((await uploads.stored(signed))?.equals(bytes)).toBe(true)
  })

  test('count as complete after a crash between assembling the parts and updating the row', async () => {
    const bytes = randomBytes(5000)
    const signed = await uploads.sign({ size: bytes.length })
    await uploads.bring(signed, bytes, [1])
    const row = await uploads.rowOf(signed)
    const object = { key: signed.path, uploadId: row!.store_upload_id! }
    const { parts } = uploads.server.services.storage
    await parts.complete(object, await parts.list(object))
    expect((await uploads.list(signed)).body.data).toEqual([{ number: 1, byte_size: 5000 }])
    expect((await uploads.complete(signed, sha256(bytes))).status).toBe(204)
    expect((await uploads.rowOf(signed))?.status).toBe('complete')
  })

  test('create one upload in the storage if five requests start them concurrently, and a DELETE removes it', async () => {
    const signed = await uploads.sign({ size: 1000 })
    const before = await uploads.countUnfinished()
    await Promise.all([1, 2, 3, 4, 5].map(() => uploads.list(signed)))
    expect(await uploads.countUnfinished()).toBe(before + 1)
    const headers = { 'upload-token': signed.uploadToken }
    const ended = await uploads.admin.send('DELETE', signed.uploadUrl, { headers })
    expect(ended.status).toBe(204)
    expect((await uploads.list(signed)).code).toBe('upload_not_found')
    await uploads.nothingRemains(signed)
  })

  test('can be replaced by a single PUT of the whole file, but one upload cannot use both', async () => {
    const bytes = Buffer.from(encodeWav((t) => Math.sin(t * 1000), { seconds: 0.1 }))
    const [whole, both] = [
      await uploads.sign({ size: bytes.length }),
      await uploads.sign({ size: bytes.length }),
    ]
    await uploads.list(both)
    expect((await uploads.put(whole, bytes)).status).toBe(204)
    expect(await uploads.put(both, bytes)).toMatchObject({ status: 409, code: 'upload_transport' })
    expect((await uploads.rowOf(whole))?.sha256).toBe(sha256(bytes))
  })

  test('require an audio file whose size is announced', async () => {
    const cover = { bucket: 'covers', filename: 'a.png', mime: 'image/png', size: 10 }
    const [unknown, picture] = [await uploads.sign(), await uploads.sign(cover)]
    expect([unknown.transport, picture.transport]).toEqual([null, null])
    expect((await uploads.list(unknown)).code).toBe('upload_transport')
    expect((await uploads.list(picture)).code).toBe('upload_not_found')
  })

  test('replace the tus protocol: a tus request returns 409 upload_transport, which makes old browsers start over', async () => {
    const signed = await uploads.sign({ size: 10 })
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0' }
    const type = { 'content-type': 'application/offset+octet-stream' }
    for (const method of ['POST', 'PATCH']) {
      expect(
        await uploads.send(method, signed, Buffer.from('x'), { ...headers, ...type }),
      ).toMatchObject({ status: 409, code: 'upload_transport' })
    }
    expect((await uploads.send('HEAD', signed, null, headers)).status).toBe(409)
    expect((await uploads.list(signed)).status).toBe(200)
  })
})
