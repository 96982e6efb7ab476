// Requirements for every storage implementation. The test of each implementation calls this once.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage, StorageError } from '../../platform/storage/storage.ts'

export interface StorageUnderTest {
  storage: Storage
  /** Counts unfinished uploads and files. The result must be 0 while nothing is being written. */
  countUnfinished: () => Promise<number>
  close: () => Promise<void>
}

export function describeStorage(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(name, () => {
    let storage: Storage
    let subject: StorageUnderTest

    beforeAll(async () => {
      subject = await open()
      storage = subject.storage
    })
    afterAll(() => subject.close())

    const newKey = (file = 'high.m4a') => `audio/${randomUUID()}/${file}`
    const problem = (expected: StorageError['problem']) =>
      expect.objectContaining({ name: 'StorageError', problem: expected })

    test('returns what was put, from bytes and from a stream of many chunks', async () => {
      const bytes = randomBytes(3_000_001)
      const [ofBytes, ofStream] = [newKey(), newKey()]
      const put = await storage.put(ofBytes, bytes, { byteSize: bytes.length })
      await storage.put(ofStream, Readable.from(splitIntoChunks(bytes, 65_536)))

      expect(put.byteSize).toBe(bytes.length)
      expect(sha256(await storage.read(ofBytes))).toBe(sha256(bytes))
      expect(sha256(await storage.read(ofStream))).toBe(sha256(bytes))
      expect(await subject.countUnfinished()).toBe(0)
    })

    test('stores the installation id beside the objects', async () => {
      expect(await storage.readInstallationId()).toBeNull()
      const [first, second] = [randomUUID(), randomUUID()]
      await storage.writeInstallationId(first)
      await storage.writeInstallationId(second)
      expect(await storage.readInstallationId()).toBe(second)
      expect(await collectKeys(storage, '')).not.toContain('installation')
      expect(await subject.countUnfinished()).toBe(0)
    })

    test('keeps an empty object', async () => {
      const key = newKey()
      await storage.put(key, new Uint8Array(), { byteSize: 0 })
      expect(await storage.read(key)).toHaveLength(0)
    })

    test.each([
      ['fewer', 9],
      ['more', 11],
    ])('writes nothing when %s bytes arrive than announced', async (_which, byteSize) => {
      const key = newKey()
      await expect(
        storage.put(key, Readable.from([Buffer.alloc(byteSize)]), { byteSize: 10 }),
      ).rejects.toEqual(problem('wrong_size'))
      expect(await storage.stat(key)).toBeNull()
      expect(await subject.countUnfinished()).toBe(0)
    })

    test('writes nothing when the stream fails halfway', async () => {
      const key = newKey()
      const broken = Readable.from(
        (function* half() {
          yield Buffer.alloc(100_000)
          throw new Error('the line is dead')
        })(),
      )
      await expect(storage.put(key, broken)).rejects.toThrow('the line is dead')
      expect(await storage.stat(key)).toBeNull()
      expect(await subject.countUnfinished()).toBe(0)
    })

    test('moves a finished local file into the storage', async () => {
      const key = newKey()
      await storage.withScratchFolder(async (folder) => {
        const path = join(folder, 'out.m4a')
        await writeFile(path, 'rendered')
        await expect(storage.putFile(key, path, { byteSize: 3 })).rejects.toEqual(
          problem('wrong_size'),
        )
        await storage.putFile(key, path, { byteSize: 8 })
        expect(await readdir(folder)).toEqual([])
      })
      expect((await storage.read(key)).toString()).toBe('rendered')
    })

    test('replaces an object as a whole: an open old object never returns bytes of the new one', async () => {
      const key = newKey()
      await storage.put(key, Buffer.from('first version'))
      const old = await storage.open(key)
      await storage.put(key, Buffer.from('second'))
      const target = Buffer.alloc(5)
      const read = await old.read(target, 0).then(
        () => target.toString(),
        () => 'refused',
      )
      await old.close()
      expect(['first', 'refused']).toContain(read)
      expect((await storage.read(key)).toString()).toBe('second')
    })

    test('reads at positions, and returns fewer bytes at the end', async () => {
      const key = newKey()
      await storage.put(key, Buffer.from('0123456789'))
      const object = await storage.open(key)
      const target = Buffer.alloc(4)
      expect(await object.read(target, 3)).toBe(4)
      expect(target.toString()).toBe('3456')
      expect(await object.read(target, 8)).toBe(2)
      expect(target.subarray(0, 2).toString()).toBe('89')
      expect(await object.read(target, 10)).toBe(0)
      await object.close()
    })

    test('stat, open and put report the same metadata', async () => {
      const key = newKey()
      const before = Date.now()
      const put = await storage.put(key, Buffer.from('measured'))
      const opened = await storage.open(key)
      await opened.close()
      expect(await storage.stat(key)).toEqual(put)
      expect({
        etag: opened.etag,
        byteSize: opened.byteSize,
        lastModified: opened.lastModified,
      }).toEqual(put)
      expect(put.etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
      expect(Math.abs(put.lastModified.getTime() - before)).toBeLessThan(60_000)
    })

    test('returns different entity tags for different objects', async () => {
      const [one, other] = [newKey(), newKey()]
      const first = await storage.put(one, Buffer.from('a'))
      const second = await storage.put(other, Buffer.from('bb'))
      expect(first.etag).not.toBe(second.etag)
    })

    test('returns not_found for an unknown key, a folder, or a key below an object', async () => {
      const key = newKey()
      await storage.put(key, Buffer.from('x'))
      const folder = key.split('/').slice(0, 2).join('/')
      for (const missing of [newKey(), folder, `${key}/deeper`]) {
        expect(await storage.stat(missing)).toBeNull()
        await expect(storage.read(missing)).rejects.toEqual(problem('not_found'))
        await expect(storage.open(missing)).rejects.toEqual(problem('not_found'))
        await expect(storage.withLocalFile(missing, async () => 1)).rejects.toEqual(
          problem('not_found'),
        )
      }
    })

    test('deletes an object, even twice, and keeps others', async () => {
      const id = randomUUID()
      await storage.put(`covers/${id}/128.webp`, Buffer.from('small'))
      await storage.put(`covers/${id}/384.webp`, Buffer.from('middle'))
      await storage.delete(`covers/${id}/128.webp`)
      await storage.delete(`covers/${id}/128.webp`)
      expect(await storage.stat(`covers/${id}/128.webp`)).toBeNull()
      expect((await storage.read(`covers/${id}/384.webp`)).toString()).toBe('middle')
    })

    test('lists by prefix, also by an incomplete name', async () => {
      const id = randomUUID()
      const keys = [`covers/${id}/128.webp`, `covers/${id}/384.avif`, `covers/${id}/384.webp`]
      for (const key of keys) await storage.put(key, Buffer.from('x'))
      const list = async (prefix: string) => (await collectKeys(storage, prefix)).toSorted()
      expect(await list(`covers/${id}/`)).toEqual(keys)
      expect(await list(`covers/${id}/384`)).toEqual(keys.slice(1))
      expect(await list(`covers/${id.slice(0, 20)}`)).toEqual(keys)
      expect(await list(`covers/${randomUUID()}/`)).toEqual([])
      expect(await list('')).toEqual(expect.arrayContaining(keys))
    })

    test('provides an object as a local file', async () => {
      const key = newKey()
      await storage.put(key, Buffer.from('for ffmpeg'))
      const text = await storage.withLocalFile(key, (path) => readFile(path, 'utf8'))
      expect(text).toBe('for ffmpeg')
    })

    test('removes the scratch folder, also after a failure', async () => {
      let folder = ''
      const failing = storage.withScratchFolder(async (path) => {
        folder = path
        await writeFile(join(path, 'half.m4a'), 'half')
        throw new Error('ffmpeg failed')
      })
      await expect(failing).rejects.toThrow('ffmpeg failed')
      await expect(stat(folder)).rejects.toThrow('ENOENT')
    })

    test('writes and deletes concurrently in one folder without losing anything', async () => {
      const id = randomUUID()
      const rounds = Array.from({ length: 60 }, (_, i) => i)
      await Promise.all(
        rounds.map(async (i) => {
          await storage.put(`audio/${id}/deep/${i}.bin`, Buffer.from(String(i)))
          if (i % 2 === 0) await storage.delete(`audio/${id}/deep/${i}.bin`)
        }),
      )
      const left = await collectKeys(storage, `audio/${id}/`)
      expect(left).toHaveLength(30)
    })

    test.each(hostileKeys)('refuses the key %j', async (key) => {
      const refused = problem('invalid_key')
      await expect(storage.put(key, Buffer.from('x'))).rejects.toEqual(refused)
      await expect(storage.putFile(key, '/dev/null')).rejects.toEqual(refused)
      await expect(storage.open(key)).rejects.toEqual(refused)
      await expect(storage.read(key)).rejects.toEqual(refused)
      await expect(storage.stat(key)).rejects.toEqual(refused)
      await expect(storage.delete(key)).rejects.toEqual(refused)
      await expect(storage.withLocalFile(key, async () => 1)).rejects.toEqual(refused)
    })

    test.each(['../', 'audio/../../etc/', '/etc/', 'audio//'])(
      'refuses to list %j',
      async (prefix) => {
        await expect(collectKeys(storage, prefix)).rejects.toEqual(problem('invalid_key'))
      },
    )
  })
}

const hostileKeys = [
  '',
  'audio',
  '/etc/passwd',
  '../secret/key',
  'audio/../../secret',
  'audio/..',
  'audio/./x',
  'audio//x',
  'audio/x/',
  'audio/.hidden',
  'audio\\..\\x',
  'audio/x\0.m4a',
  'audio/x\n',
  'audio/ x',
  'audio/X.m4a',
  'audio/%2e%2e/x',
  'audio/é.m4a',
  `audio/${'a'.repeat(201)}`,
  `audio/${'a/'.repeat(300)}a`,
]

/** Returns all keys that a storage lists, as an array. */
export async function collectKeys(storage: Storage, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const key of storage.list(prefix)) keys.push(key)
  return keys
}

function* splitIntoChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
