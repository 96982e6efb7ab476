import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, transaction, type Transaction } from '../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { openDiskStorage } from './disk-storage.ts'
import { claimKeys, discardKeys, reserveKeys, sweepStorageGarbage } from './storage-garbage.ts'
import type { Storage } from './storage.ts'

let folder: string
let storage: Storage
let database: TestDatabase
const dayMs = 24 * 3_600_000
const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-garbage-'))
  storage = await openDiskStorage(folder)
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await sweepStorageGarbage(database.db, storage, inMs(100 * dayMs))
})

const bytes = Buffer.from('rendered')
const newKey = () => `audio/${randomUUID()}/high.m4a`
const isListed = async (key: string) => {
  const row = await database.db.query
    .selectFrom('storage_garbage')
    .select('storage_key')
    .where('storage_key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}
const isStored = async (key: string) => (await storage.stat(key)) !== null

/** Inserts a track with a rendition under `key`, so that a row owns the object. */
async function own(trx: Transaction, key: string): Promise<string> {
  const track = await trx.query
    .insertInto('tracks')
    .values({ title: 'A', artist: 'B' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx.query
    .insertInto('renditions')
    .values({
      track_id: track.id,
      kind: 'high',
      storage_key: key,
      mime: 'audio/mp4',
      byte_size: bytes.length,
      duration_seconds: 1,
      etag: '"a"',
    })
    .execute()
  return track.id
}

const isOwned = async (key: string) =>
  (await database.db.query
    .selectFrom('renditions')
    .select('id')
    .where('storage_key', '=', key)
    .executeTakeFirst()) !== undefined

class Killed extends Error {}

/**
 * Creates and deletes an object in steps. `killAfter` simulates a crash after a step: the further steps don't run.
 */
async function makeAndDrop(key: string, killAfter: number): Promise<void> {
  const { db } = database
  const steps = [
    () => reserveKeys(db, [key]),
    () => storage.put(key, bytes),
    () =>
      transaction(db, async (trx) => {
        await claimKeys(trx, [key])
        // Simulates a crash before the commit: the transaction does not end until the connection is closed.
        if (killAfter === 3) throw new Killed()
        await own(trx, key)
      }),
    () =>
      transaction(db, async (trx) => {
        await discardKeys(trx, [key])
        await trx.query.deleteFrom('renditions').where('storage_key', '=', key).execute()
        if (killAfter === 5) throw new Killed()
      }),
    () => sweepStorageGarbage(db, storage, inMs(1000)),
  ]
  const stepsDone = [0, 1, 2, 3, 3, 4, 4, 5][killAfter]!
  for (const step of steps.slice(0, stepsDone)) {
    try {
      await step()
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }
}

describe('after a crash at any step, an object has an owner or is due for deletion', () => {
  test.each([
    [0, 'before anything', { owned: false }],
    [1, 'after the reservation', { owned: false }],
    [2, 'after the write', { owned: false }],
    [3, 'inside the owning transaction', { owned: false }],
    [4, 'after the owning transaction', { owned: true }],
    [5, 'inside the dropping transaction', { owned: true }],
    [6, 'after the dropping transaction', { owned: false }],
    [7, 'after the sweep', { owned: false }],
  ])('crash %i, %s', async (killAfter, _when, { owned }) => {
    const key = newKey()
    await makeAndDrop(key, killAfter)
    expect(await isOwned(key)).toBe(owned)
    if (owned) expect(await isListed(key)).toBe(false)
    else expect((await isStored(key)) && !(await isListed(key))).toBe(false)

    await sweepStorageGarbage(database.db, storage, inMs(2 * dayMs))
    expect(await isStored(key)).toBe(owned)
    expect(await isListed(key)).toBe(false)
  })

  test('deletes an object again if an earlier sweep was killed before it removed the list entry', async () => {
    const log = { info() {}, warn() {}, error() {} }
    const db = createDatabase({ ...database, maxConnections: 2, log })
    const key = newKey()
    await reserveKeys(db, [key])
    await storage.put(key, bytes)
    const dying: Storage = {
      ...storage,
      async delete(gone) {
        await storage.delete(gone)
        // Terminates the connection, like a crash of the process that uses it.
        await db.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and state = 'idle in transaction'`,
        )
      },
    }
    await expect(sweepStorageGarbage(db, dying, inMs(2 * dayMs))).rejects.toThrow()
    expect([await isStored(key), await isListed(key)]).toEqual([false, true])
    await sweepStorageGarbage(db, storage, inMs(2 * dayMs))
    expect(await isListed(key)).toBe(false)
    await db.close()
  })
})

test('keeps a reserved object until its reservation expires', async () => {
  const key = newKey()
  await reserveKeys(database.db, [key])
  await storage.put(key, bytes)
  await sweepStorageGarbage(database.db, storage, inMs(dayMs / 2))
  expect(await isStored(key)).toBe(true)
})

test('a claim after the sweep fails, and its transaction is rolled back', async () => {
  const key = newKey()
  await reserveKeys(database.db, [key])
  await storage.put(key, bytes)
  await sweepStorageGarbage(database.db, storage, inMs(2 * dayMs))
  const late = transaction(database.db, async (trx) => {
    await own(trx, key)
    await claimKeys(trx, [key])
  })
  await expect(late).rejects.toThrow('without a reservation')
  expect(await isOwned(key)).toBe(false)
})

test('a concurrent claim and sweep leave either a row with its object or no row', async () => {
  for (let round = 0; round < 20; round++) {
    const key = newKey()
    await reserveKeys(database.db, [key], 0)
    await storage.put(key, bytes)
    await Promise.allSettled([
      transaction(database.db, async (trx) => {
        await claimKeys(trx, [key])
        await own(trx, key)
      }),
      sweepStorageGarbage(database.db, storage, inMs(dayMs)),
    ])
    expect(await isStored(key)).toBe(await isOwned(key))
  }
})

test('if an object cannot be deleted, keeps it listed and deletes the others', async () => {
  const [stuck, other] = [newKey(), newKey()]
  for (const key of [stuck, other]) {
    await reserveKeys(database.db, [key])
    await storage.put(key, bytes)
  }
  const failing: Storage = {
    ...storage,
    delete: (key) =>
      key === stuck ? Promise.reject(new Error('disk says no')) : storage.delete(key),
  }
  const warnings: unknown[] = []
  const db = {
    ...database.db,
    log: { ...database.db.log, warn: (...line: unknown[]) => warnings.push(line) },
  }
  const sweep = await sweepStorageGarbage(db, failing, inMs(2 * dayMs))
  expect(sweep).toEqual({ deleted: 1, failed: [stuck] })
  expect(warnings).toHaveLength(1)
  expect([await isStored(stuck), await isStored(other)]).toEqual([true, false])
  await sweepStorageGarbage(database.db, storage, inMs(3 * dayMs))
  expect(await isStored(stuck)).toBe(false)
})

test('sweeps more than one batch per run', async () => {
  const keys = Array.from({ length: 230 }, newKey)
  await transaction(database.db, (trx) => discardKeys(trx, keys))
  const sweep = await sweepStorageGarbage(database.db, storage, inMs(1000))
  expect(sweep.deleted).toBe(230)
})

describe('with a slow store, a sweep', () => {
  /** A storage that does not respond for `stuck` keys until the request is aborted. */
  const silentFor = (stuck: (key: string) => boolean): Storage => ({
    ...storage,
    delete: (key, { signal } = {}) =>
      stuck(key)
        ? new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        : storage.delete(key),
  })
  const quiet = () => ({ ...database.db, log: { info() {}, warn() {}, error() {} } })
  const dueKeys = async () => {
    const rows = await database.db.query
      .selectFrom('storage_garbage')
      .select('storage_key')
      .where('delete_after', '<=', inMs(1000).toISOString())
      .execute()
    return rows.map((row) => row.storage_key)
  }

  test("reports only the objects that don't respond as failed, and the next sweep starts with others", async () => {
    const stuck = [newKey(), newKey()]
    const others = Array.from({ length: 150 }, newKey)
    await transaction(database.db, (trx) => discardKeys(trx, stuck))
    await transaction(database.db, (trx) => discardKeys(trx, others))
    const slow = silentFor((key) => stuck.includes(key))
    const sweep = await sweepStorageGarbage(quiet(), slow, inMs(1000), { limitMs: 1000 })
    expect(sweep).toEqual({ deleted: 98, failed: expect.arrayContaining(stuck) })
    // The first batch reached the time limit, so the sweep ended early. The other objects stay due for the next
    // sweep.
    expect(await dueKeys()).toHaveLength(52)
    expect(await sweepStorageGarbage(quiet(), slow, inMs(1000), { limitMs: 1000 })).toEqual({
      deleted: 52,
      failed: [],
    })
  })

  test('is aborted at shutdown without postponing any object', async () => {
    const keys = Array.from({ length: 20 }, newKey)
    await transaction(database.db, (trx) => discardKeys(trx, keys))
    const stopping = new AbortController()
    const deleted: string[] = []
    const slow: Storage = {
      ...storage,
      delete: async (key, options) => {
        if (deleted.length < 5) return void deleted.push(key)
        const silence = silentFor(() => true).delete(key, options)
        stopping.abort(new Error('the server is stopping'))
        await silence
      },
    }
    const { signal } = stopping
    const sweep = await sweepStorageGarbage(database.db, slow, inMs(1000), { signal })
    expect(sweep).toEqual({ deleted: 5, failed: [] })
    const left = keys.filter((key) => !deleted.includes(key))
    expect(new Set(await dueKeys())).toEqual(new Set(left))
  })
})

test('never lists an invalid key', async () => {
  await expect(reserveKeys(database.db, ['../../etc/passwd'])).rejects.toThrow('Not a storage key')
})
