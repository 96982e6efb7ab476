import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDiskStorage } from './disk-storage.ts'
import { describeStorageParts, createFailingBody } from '../../testing/storage/parts-compliance.ts'
import { describeStorage, collectKeys } from '../../testing/storage/storage-compliance.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-disk-storage-'))
})
afterAll(() => rm(folder, { recursive: true }))

const openFor = async (name: string) => {
  const root = join(folder, name)
  return {
    storage: await openDiskStorage(root),
    countUnfinished: async () =>
      (await readdir(join(root, 'tmp'))).length + (await readdir(join(root, 'parts'))).length,
    close: () => rm(root, { recursive: true }),
  }
}
describeStorage('disk storage', () => openFor('compliance'))
describeStorageParts('disk storage of parts', () => openFor('compliance-of-parts'))

test('keeps stored parts after a crash, and removes them after eight days', async () => {
  const root = join(folder, 'parts')
  const before = await openDiskStorage(root)
  const key = 'uploads/audio/1/song.wav'
  const object = { key, uploadId: await before.parts.begin(key) }
  await before.parts.put(object, { number: 2, byteSize: 4 }, Readable.from(['late']))
  const { parts } = await openDiskStorage(root)
  expect(await parts.list(object)).toMatchObject([{ number: 2, byteSize: 4 }])

  const [name] = await readdir(join(root, 'parts'))
  const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000 - 1000)
  await utimes(join(root, 'parts', name!), longAgo, longAgo)
  await openDiskStorage(root)
  expect(await readdir(join(root, 'parts'))).toEqual([])
})

test('if sending a part again is interrupted, keeps the earlier part', async () => {
  const { parts } = await openDiskStorage(join(folder, 'repetition'))
  const key = 'uploads/audio/1/song.wav'
  const object = { key, uploadId: await parts.begin(key) }
  const part = { number: 1, byteSize: 8 }
  await parts.put(object, part, Readable.from(['complete']))
  const [before] = await parts.list(object)
  await expect(parts.put(object, part, createFailingBody(8))).rejects.toThrow('the line is dead')
  expect(await parts.list(object)).toEqual([before])
})

test('completes an upload again if a crash left its parts behind', async () => {
  const root = join(folder, 'twice')
  const storage = await openDiskStorage(root)
  const key = 'uploads/audio/1/song.wav'
  const object = { key, uploadId: await storage.parts.begin(key) }
  await storage.parts.put(object, { number: 1, byteSize: 4 }, Readable.from(['wave']))
  await storage.put(key, Buffer.from('wave'))
  await storage.parts.complete(object, await storage.parts.list(object))
  expect((await storage.read(key)).toString()).toBe('wave')
  expect(await readdir(join(root, 'parts'))).toEqual([])
})

test('removes unfinished files of a killed process at the start, and keeps the objects', async () => {
  const root = join(folder, 'restart')
  const before = await openDiskStorage(root)
  await before.put('audio/1/high.m4a', Buffer.from('whole'))
  await writeFile(join(root, 'tmp', 'half-an-object'), 'ha')
  await mkdir(join(root, 'tmp', 'scratch-1'))
  await writeFile(join(root, 'tmp', 'scratch-1', 'half.m4a'), 'ha')

  const after = await openDiskStorage(root)
  expect(await readdir(join(root, 'tmp'))).toEqual([])
  expect(await collectKeys(after, '')).toEqual(['audio/1/high.m4a'])
})

test('removes folders that a deletion leaves empty, and keeps parent folders with objects', async () => {
  const root = join(folder, 'prune')
  const storage = await openDiskStorage(root)
  await storage.put('audio/1/high.m4a', Buffer.from('x'))
  await storage.put('audio/2/high.m4a', Buffer.from('x'))
  await storage.delete('audio/1/high.m4a')
  expect(await readdir(join(root, 'objects', 'audio'))).toEqual(['2'])
  await storage.delete('audio/2/high.m4a')
  expect(await readdir(join(root, 'objects'))).toEqual([])
})

test('copies a file from another file system, then removes it', async () => {
  const storage = await openDiskStorage(join(folder, 'other-device'))
  const otherDevice = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const elsewhere = await mkdtemp(join(otherDevice, 'velour-disk-storage-'))
  try {
    await writeFile(join(elsewhere, 'a.flac'), 'from memory')
    await storage.putFile('sources/1/a.flac', join(elsewhere, 'a.flac'), { byteSize: 11 })
    expect((await storage.read('sources/1/a.flac')).toString()).toBe('from memory')
    expect(await readdir(elsewhere)).toEqual([])
    expect(await readdir(join(folder, 'other-device', 'tmp'))).toEqual([])
  } finally {
    await rm(elsewhere, { recursive: true })
  }
})
