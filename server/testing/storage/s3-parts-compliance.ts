// Multipart uploads by clients: requirements for every S3-compatible server.
import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { S3Server } from './s3-server.ts'
import {
  isStorageError,
  type Storage,
  type StorageError,
  type StorageParts,
} from '../../platform/storage/storage.ts'

const partBytes = 5 * 1024 * 1024

export function describeStorageParts(
  open: () => Promise<{ storage: Storage & { close: () => void }; server: S3Server }>,
): void {
  describe('parts that others bring', () => {
    let storage: Storage & { close: () => void }
    let server: S3Server
    let parts: StorageParts

    beforeAll(async () => {
      ;({ storage, server } = await open())
      parts = storage.parts!
    })
    afterAll(() => storage.close())

    const begin = async () => {
      const key = `uploads/audio/${randomUUID()}/song.wav`
      return { key, uploadId: await parts.begin(key) }
    }
    const problem = (expected: StorageError['problem']) =>
      expect.objectContaining({ name: 'StorageError', problem: expected })
    const send = async (url: string, body: Buffer) => {
      const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(body) })
      await answer.arrayBuffer()
      return answer
    }

    test('become one object, whichever way and in whatever order they come', async () => {
      const object = await begin()
      const bytes = randomBytes(2 * partBytes + 1000)
      const cut = [1, 2, 3].map((number) => {
        const slice = bytes.subarray((number - 1) * partBytes, number * partBytes)
        return { number, byteSize: slice.length, slice }
      })
      expect(await parts.list(object)).toEqual([])
      const url = await parts.signedUrl(object, cut[2]!, 60)
      expect((await send(url, cut[2]!.slice)).status).toBe(200)
      await parts.put(object, cut[0]!, Readable.from(pieces(cut[0]!.slice)))
      // Repeated, as after a lost response.
      expect((await send(url, cut[2]!.slice)).status).toBe(200)
      expect(await storage.stat(object.key)).toBeNull()
      expect((await parts.list(object)).map(({ number }) => number)).toEqual([1, 3])
      await send(await parts.signedUrl(object, cut[1]!, 60), cut[1]!.slice)

      const listed = await parts.list(object)
      expect(listed.map(({ number, byteSize }) => [number, byteSize])).toEqual(
        cut.map(({ number, byteSize }) => [number, byteSize]),
      )
      await parts.complete(object, listed)
      expect((await storage.read(object.key)).equals(bytes)).toBe(true)
      expect(await storage.stat(object.key)).toMatchObject({ byteSize: bytes.length })

      // Late and repeated parts change nothing, whether the store still knows the upload or not.
      const unlessGone = async <T>(work: Promise<T>): Promise<T | null> => {
        try {
          return await work
        } catch (error) {
          if (isStorageError(error, 'not_found')) return null
          throw error
        }
      }
      const known = await unlessGone(parts.list(object))
      expect([null, cut.length]).toContain(known && known.length)
      await unlessGone(parts.complete(object, listed))
      await unlessGone(parts.put(object, cut[2]!, Readable.from([cut[2]!.slice])))
      expect([200, 404]).toContain((await send(url, cut[2]!.slice)).status)
      expect((await storage.read(object.key)).equals(bytes)).toBe(true)
      await storage.delete(object.key)
      expect(await storage.stat(object.key)).toBeNull()
    })

    test('are gone with their key, those of a neighbour are not', async () => {
      const [given, kept] = [await begin(), await begin()]
      const part = { number: 1, byteSize: 4 }
      for (const object of [given, kept]) await parts.put(object, part, Readable.from(['wave']))
      const url = await parts.signedUrl(given, part, 60)
      await storage.delete(given.key)
      expect((await send(url, Buffer.from('wave'))).status).toBe(404)
      await expect(parts.list(given)).rejects.toEqual(problem('not_found'))
      expect(await parts.list(kept)).toHaveLength(1)
      expect(await server.countUnfinished()).toBe(1)
      await storage.delete(kept.key)
      expect(await server.countUnfinished()).toBe(0)
    })

    test.each([
      ['shorter', 3],
      ['longer', 5],
    ])('are not taken when they are %s than said', async (_which, length) => {
      const object = await begin()
      const part = { number: 1, byteSize: 4 }
      const body = Readable.from([Buffer.alloc(length)])
      await expect(parts.put(object, part, body)).rejects.toEqual(problem('wrong_size'))
      expect(await parts.list(object)).toEqual([])
      await storage.delete(object.key)
    })

    test('are not taken when their sender goes away', async () => {
      const object = await begin()
      const body = Readable.from(
        (function* half() {
          yield Buffer.alloc(100_000)
          throw new Error('the line is dead')
        })(),
      )
      const part = { number: 1, byteSize: 200_000 }
      await expect(parts.put(object, part, body)).rejects.toThrow('the line is dead')
      expect(await parts.list(object)).toEqual([])
      await storage.delete(object.key)
    })

    test('have keys like all others', async () => {
      const refused = problem('invalid_key')
      await expect(parts.begin('../secret/key')).rejects.toEqual(refused)
      const object = { key: 'audio/../x', uploadId: 'x' }
      await expect(parts.signedUrl(object, { number: 1, byteSize: 1 }, 60)).rejects.toEqual(refused)
      await expect(parts.list(object)).rejects.toEqual(refused)
      await expect(parts.complete(object, [])).rejects.toEqual(refused)
    })

    test('an address takes nothing but its part, and that not for ever', async () => {
      const object = await begin()
      const part = { number: 2, byteSize: 4 }
      const url = await parts.signedUrl(object, part, 60)
      const change = (name: string, value: string) => {
        const changed = new URL(url)
        changed.searchParams.set(name, value)
        return changed.href
      }
      expect((await send(url, Buffer.alloc(5))).status).toBe(403)
      expect((await send(change('partNumber', '1'), Buffer.alloc(4))).status).toBe(403)
      expect((await send(change('X-Amz-Expires', '86400'), Buffer.alloc(4))).status).toBe(403)
      expect((await send(url.replace('song.wav', 'other.wav'), Buffer.alloc(4))).status).toBe(403)
      const brief = await parts.signedUrl(object, part, 1)
      await vi.waitFor(async () => expect((await send(brief, Buffer.alloc(4))).status).toBe(403), {
        timeout: 5000,
        interval: 500,
      })
      await storage.delete(object.key)
    })

    test('cannot be others than the store has', async () => {
      const object = await begin()
      for (const number of [1, 2]) {
        await parts.put(object, { number, byteSize: 4 }, Readable.from(['wave']))
      }
      const [first, second] = await parts.list(object)
      const other = { ...first!, etag: `"${'0'.repeat(32)}"` }
      for (const wrong of [
        [other, second!],
        [first!, { ...second!, number: 3 }],
        [first!, second!],
      ]) {
        await expect(parts.complete(object, wrong)).rejects.toEqual(problem('wrong_parts'))
      }
      expect(await storage.stat(object.key)).toBeNull()
      await storage.delete(object.key)
    })
  })
}

function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}
