import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDiskStorage } from './disk-storage.ts'
import { describeStorage, keysOf } from '../../testing/storage/storage-compliance.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-disk-storage-'))
})
afterAll(() => rm(folder, { recursive: true }))

describeStorage('disk storage', async () => {
  const root = join(folder, 'compliance')
  return {
    storage: await openDiskStorage(root),
    countUnfinished: async () => (await readdir(join(root, 'tmp'))).length,
    close: () => rm(root, { recursive: true }),
  }
})

test('removes unfinished files of a killed process at the start and keeps the objects', async () => {
  const root = join(folder, 'restart')
  const before = await openDiskStorage(root)
  await before.put('audio/1/high.m4a', Buffer.from('whole'))
  await writeFile(join(root, 'tmp', 'half-an-object'), 'ha')
  await mkdir(join(root, 'tmp', 'scratch-1'))
  await writeFile(join(root, 'tmp', 'scratch-1', 'half.m4a'), 'ha')

  const after = await openDiskStorage(root)
  expect(await readdir(join(root, 'tmp'))).toEqual([])
  expect(await keysOf(after, '')).toEqual(['audio/1/high.m4a'])
})

test('removes folders that a delete leaves empty and keeps parents with objects', async () => {
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
