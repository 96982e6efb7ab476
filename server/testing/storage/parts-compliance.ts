// Requirements for uploads in parts, for every storage implementation. The test of each implementation calls this
// once.
import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  isStorageError,
  type PartialObject,
  type Storage,
  type StorageError,
  type StorageParts,
} from '../../platform/storage/storage.ts'
import type { StorageUnderTest } from './storage-compliance.ts'

/** The smallest part size that object stores accept. */
const partBytes = 5 * 1024 * 1024

export function describeStorageParts(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(name, () => {
    let subject: StorageUnderTest
    let storage: Storage
    let parts: StorageParts

    beforeAll(async () => {
      subject = await open()
      storage = subject.storage
      parts = storage.parts
    })
    afterAll(() => subject.close())

    const begin = async (): Promise<PartialObject> => {
      const key = `uploads/audio/${randomUUID()}/song.wav`
      return { key, uploadId: await parts.begin(key) }
    }
    const problem = (expected: StorageError['problem']) =>
      expect.objectContaining({ name: 'StorageError', problem: expected })
    const put = (object: PartialObject, number: number, bytes: Buffer) =>
      parts.put(object, { number, byteSize: bytes.length }, Readable.from(pieces(bytes)))
    const nullIfGone = async <T>(work: Promise<T>): Promise<T | null> => {
      try {
        return await work
      } catch (error) {
        if (isStorageError(error, 'not_found')) return null
        throw error
      }
    }

    test('assembles parts into one object, in any order and with repetitions', async () => {
      const object = await begin()
      const bytes = randomBytes(2 * partBytes + 1000)
      const cut = (number: number) => bytes.subarray((number - 1) * partBytes, number * partBytes)
      expect(await parts.list(object)).toEqual([])
      await put(object, 3, randomBytes(1000))
      await put(object, 1, cut(1))
      // Part 3 is sent again. The part stored last counts.
      await put(object, 3, cut(3))
      expect(await storage.stat(object.key)).toBeNull()
      expect((await parts.list(object)).map(({ number }) => number)).toEqual([1, 3])
      await put(object, 2, cut(2))
      const listed = await parts.list(object)
      expect(listed.map(({ number, byteSize }) => [number, byteSize])).toEqual([
        [1, partBytes],
        [2, partBytes],
        [3, 1000],
      ])
      await parts.complete(object, listed)
      expect((await storage.read(object.key)).equals(bytes)).toBe(true)
      expect(await storage.stat(object.key)).toMatchObject({ byteSize: bytes.length })

      // Late parts and a repeated completion change nothing, whether or not the storage still knows the upload.
      const known = await nullIfGone(parts.list(object))
      expect([null, 3]).toContain(known && known.length)
      await nullIfGone(parts.complete(object, listed))
      await nullIfGone(put(object, 3, randomBytes(1000)))
      expect((await storage.read(object.key)).equals(bytes)).toBe(true)
      await storage.delete(object.key)
      expect(await storage.stat(object.key)).toBeNull()
      expect(await subject.countUnfinished()).toBe(0)
    })

    test('accepts concurrent parts, one of them twice, and never mixes them', async () => {
      const object = await begin()
      const bodies = ['a', 'b', 'c'].map((letter) => Buffer.alloc(partBytes, letter))
      await Promise.all([
        put(object, 1, bodies[0]!),
        put(object, 1, bodies[1]!),
        put(object, 2, bodies[2]!),
      ])
      await parts.complete(object, await parts.list(object))
      const stored = await storage.read(object.key)
      const first = stored.subarray(0, partBytes)
      expect(bodies.slice(0, 2).some((body) => body.equals(first))).toBe(true)
      expect(stored.subarray(partBytes).equals(bodies[2]!)).toBe(true)
      await storage.delete(object.key)
    })

    test('deletes parts with their key, but not those of another key', async () => {
      const [aborted, kept] = [await begin(), await begin()]
      for (const object of [aborted, kept]) await put(object, 1, Buffer.from('wave'))
      await storage.delete(aborted.key)
      await expect(put(aborted, 1, Buffer.from('wave'))).rejects.toEqual(problem('not_found'))
      await expect(parts.list(aborted)).rejects.toEqual(problem('not_found'))
      // A new upload with the same key does not contain the parts of the aborted one.
      const again = { key: aborted.key, uploadId: await parts.begin(aborted.key) }
      expect(await parts.list(again)).toEqual([])
      await expect(parts.list(aborted)).rejects.toEqual(problem('not_found'))
      await storage.delete(aborted.key)
      expect(await parts.list(kept)).toHaveLength(1)
      expect(await subject.countUnfinished()).toBe(1)
      await storage.delete(kept.key)
      expect(await subject.countUnfinished()).toBe(0)
    })

    test.each([
      ['shorter', 3],
      ['longer', 5],
    ])('refuses a part that is %s than announced', async (_which, length) => {
      const object = await begin()
      const part = { number: 1, byteSize: 4 }
      const body = Readable.from([Buffer.alloc(length)])
      await expect(parts.put(object, part, body)).rejects.toEqual(problem('wrong_size'))
      expect(await parts.list(object)).toEqual([])
      await storage.delete(object.key)
      expect(await subject.countUnfinished()).toBe(0)
    })

    test('stores nothing of a part whose sender disconnects, and accepts it again', async () => {
      const object = await begin()
      const broken = parts.put(object, { number: 1, byteSize: 200_000 }, createFailingBody(200_000))
      await expect(broken).rejects.toThrow('the line is dead')
      expect(await parts.list(object)).toEqual([])
      await put(object, 1, Buffer.alloc(200_000))
      expect(await parts.list(object)).toHaveLength(1)
      await storage.delete(object.key)
      expect(await subject.countUnfinished()).toBe(0)
    })

    test('accepts the same keys for uploads as for all objects', async () => {
      const refused = problem('invalid_key')
      await expect(parts.begin('../secret/key')).rejects.toEqual(refused)
      const object = { key: 'audio/../x', uploadId: 'x' }
      const part = { number: 1, byteSize: 1 }
      await expect(parts.put(object, part, Readable.from(['x']))).rejects.toEqual(refused)
      await expect(parts.list(object)).rejects.toEqual(refused)
      await expect(parts.complete(object, [])).rejects.toEqual(refused)
    })

    test('completes an upload only from parts that are stored', async () => {
      const object = await begin()
      await put(object, 1, Buffer.from('wave'))
      const [first] = await parts.list(object)
      for (const wrong of [
        [{ ...first!, etag: `"${'0'.repeat(32)}"` }],
        [{ ...first!, number: 3 }],
        [],
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

/** A body that fails halfway, like that of a sender that disconnects. */
export function createFailingBody(byteSize: number): Readable {
  return Readable.from(
    (function* half() {
      yield Buffer.alloc(byteSize / 2, 'b')
      throw new Error('the line is dead')
    })(),
  )
}
