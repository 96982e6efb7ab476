// Requirements for parts that clients send directly to the store, for every S3-compatible server.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { S3Server } from './s3-server.ts'
import type { S3Storage } from '../../platform/storage/s3-storage.ts'
import type { S3Parts } from '../../platform/storage/s3-parts.ts'

export function describeSignedParts(
  open: () => Promise<{ storage: S3Storage; server: S3Server }>,
): void {
  describe('parts by signed URL', () => {
    let storage: S3Storage
    let server: S3Server
    let parts: S3Parts

    beforeAll(async () => {
      ;({ storage, server } = await open())
      parts = storage.parts
    })
    afterAll(() => storage.close())

    const begin = async () => {
      const key = `uploads/audio/${randomUUID()}/song.wav`
      return { key, uploadId: await parts.begin(key) }
    }
    const send = async (url: string, body: Buffer) => {
      const response = await fetch(url, { method: 'PUT', body: new Uint8Array(body) })
      await response.arrayBuffer()
      return response
    }
    const part = { number: 1, byteSize: 4 }
    const wave = Buffer.from('wave')

    test('a URL stores its part, also repeatedly, and nothing after the upload has ended', async () => {
      const [completed, aborted] = [await begin(), await begin()]
      const url = await parts.signedUrl(completed, part, 60)
      for (let turn = 0; turn < 2; turn++) expect((await send(url, wave)).status).toBe(200)
      await parts.complete(completed, await parts.list(completed))
      expect([200, 404]).toContain((await send(url, Buffer.from('evil'))).status)
      expect((await storage.read(completed.key)).toString()).toBe('wave')

      const late = await parts.signedUrl(aborted, part, 60)
      await storage.delete(aborted.key)
      expect((await send(late, wave)).status).toBe(404)
      await storage.delete(completed.key)
      expect(await server.countUnfinished()).toBe(0)
    })

    test('a URL accepts only its part, and only until it expires', async () => {
      const object = await begin()
      const second = { number: 2, byteSize: 4 }
      const url = await parts.signedUrl(object, second, 60)
      const change = (name: string, value: string) => {
        const changed = new URL(url)
        changed.searchParams.set(name, value)
        return changed.href
      }
      expect((await send(url, Buffer.alloc(5))).status).toBe(403)
      expect((await send(change('partNumber', '1'), Buffer.alloc(4))).status).toBe(403)
      expect((await send(change('X-Amz-Expires', '86400'), Buffer.alloc(4))).status).toBe(403)
      expect((await send(url.replace('song.wav', 'other.wav'), Buffer.alloc(4))).status).toBe(403)
      const brief = await parts.signedUrl(object, second, 1)
      await vi.waitFor(async () => expect((await send(brief, Buffer.alloc(4))).status).toBe(403), {
        timeout: 5000,
        interval: 500,
      })
      await storage.delete(object.key)
    })

    test('a URL is refused for an invalid key', async () => {
      const object = { key: 'audio/../x', uploadId: 'x' }
      await expect(parts.signedUrl(object, part, 60)).rejects.toMatchObject({
        name: 'StorageError',
        problem: 'invalid_key',
      })
    })

    test('a store refuses parts that are too small', async () => {
      const object = await begin()
      for (const number of [1, 2]) {
        await parts.put(object, { number, byteSize: 4 }, Readable.from(['wave']))
      }
      const listed = await parts.list(object)
      await expect(parts.complete(object, listed)).rejects.toMatchObject({
        problem: 'wrong_parts',
      })
      await storage.delete(object.key)
    })
  })
}
