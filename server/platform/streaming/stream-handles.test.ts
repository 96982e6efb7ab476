import { expect, test, vi } from 'vitest'
import { StorageError, type OpenObject, type Storage } from '../storage/storage.ts'
import { createHandleCache } from './stream-handles.ts'

/** A storage that counts how often each object is opened and how many are open. */
function openings(fail: () => boolean = () => false) {
  const open = new Map<string, number>()
  const count = (key: string, change: number) => open.set(key, (open.get(key) ?? 0) + change)
  const storage = {
    async open(key: string): Promise<OpenObject> {
      if (fail()) throw new StorageError('not_found', key)
      count(key, 1)
      return {
        byteSize: 1,
        minReadBytes: 1,
        etag: '"a"',
        lastModified: new Date(0),
        read: async () => 0,
        async close() {
          if (open.get(key) === 0) throw new Error('closed twice')
          count(key, -1)
        },
      }
    },
  } as Storage
  return { storage, isOpen: (key: string) => (open.get(key) ?? 0) > 0 }
}

const options = { maxKept: 2, idleMs: 60_000, onCloseError: vi.fn<(error: unknown) => void>() }

test('opens a file once for concurrent readers', async () => {
  const { storage } = openings()
  const opened = vi.spyOn(storage, 'open')
  const cache = createHandleCache(storage, options)
  const handles = await Promise.all(Array.from({ length: 10 }, () => cache.acquire('audio/a')))
  expect(new Set(handles.map(({ object }) => object)).size).toBe(1)
  expect(opened).toHaveBeenCalledTimes(1)
  expect(cache.openCount).toBe(1)
})

test('closes an evicted handle only when its last reader has released it', async () => {
  const { storage, isOpen } = openings()
  const cache = createHandleCache(storage, options)
  const readers = [await cache.acquire('audio/a'), await cache.acquire('audio/a')]
  for (const key of ['audio/b', 'audio/c']) (await cache.acquire(key)).release()
  expect(isOpen('audio/a')).toBe(true)
  readers[0]!.release()
  readers[0]!.release()
  await new Promise(setImmediate)
  expect(isOpen('audio/a')).toBe(true)
  readers[1]!.release()
  await vi.waitFor(() => expect(isOpen('audio/a')).toBe(false))

  const again = await cache.acquire('audio/a')
  expect(again.object).not.toBe(readers[0]!.object)
  expect(options.onCloseError).not.toHaveBeenCalled()
})

test('closes an unused handle after a while', async () => {
  const { storage, isOpen } = openings()
  const patient = createHandleCache(storage, options)
  const shortLived = createHandleCache(storage, { ...options, idleMs: 1 })
  ;(await patient.acquire('audio/a')).release()
  ;(await shortLived.acquire('audio/b')).release()
  await vi.waitFor(() => {
    patient.closeIdle()
    shortLived.closeIdle()
    expect(isOpen('audio/b')).toBe(false)
  })
  expect(isOpen('audio/a')).toBe(true)
})

test('rejects all waiting readers when opening a file fails, and tries again for the next reader', async () => {
  let isBroken = true
  const { storage, isOpen } = openings(() => isBroken)
  const cache = createHandleCache(storage, options)
  const waiting = await Promise.allSettled([cache.acquire('audio/a'), cache.acquire('audio/a')])
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  await cache.acquire('audio/a')
  expect([isOpen('audio/a'), cache.openCount]).toEqual([true, 1])
})

test('waits for the readers before it closes', async () => {
  const { storage, isOpen } = openings()
  const cache = createHandleCache(storage, options)
  const reader = await cache.acquire('audio/a')
  cache.close()
  await new Promise(setImmediate)
  expect(isOpen('audio/a')).toBe(true)
  reader.release()
  await vi.waitFor(() => expect(isOpen('audio/a')).toBe(false))
})
