// Invariant: every object has an owner or is on the list of garbage, even after a crash. A key is added to the list
// before its object is written. The transaction that inserts the row owning the object removes the key from the list.
// When the row is deleted, the key is added again. The sweep deletes listed objects that are due.
import { sql } from 'kysely'
import { sessionLocks } from '../db/advisory-locks.ts'
import { transaction, type Database, type Handle, type Transaction } from '../db/database.ts'
import { storageKey, type Storage } from './storage.ts'

/** Longer than any upload or encoding takes from the reservation until a row owns the object. */
const reservationHours = 24
const batchSize = 100
const retryHours = 1
const maxConcurrentDeletes = 8
/**
 * Shorter than idle_in_transaction_session_timeout, because if the transaction is aborted, it is not recorded which
 * objects were deleted.
 */
const batchLimitMs = 20_000

/**
 * Reserves keys. Call it before writing the objects and outside any transaction, so that the list entry survives a
 * crash. Inside a transaction it is only safe if another row owns the objects until the commit.
 */
export async function reserveKeys(
  handle: Handle,
  keys: readonly string[],
  reservedHours: number = reservationHours,
): Promise<void> {
  await list(handle, keys, sql`now() + make_interval(hours => ${reservedHours})`)
}

/**
 * Call it in the transaction that inserts the row owning these objects. Throws if a key is no longer listed: the
 * sweep has deleted its object, so the row must not be committed.
 */
export async function claimKeys(trx: Transaction, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const claimed = await trx.query
    .deleteFrom('storage_garbage')
    .where('storage_key', 'in', keys)
    .returning('storage_key')
    .execute()
  const listed = new Set(claimed.map((row) => row.storage_key))
  const missing = keys.filter((key) => !listed.has(key))
  if (missing.length > 0) throw new Error(`Objects without a reservation: ${missing.join(', ')}`)
}

/** Call it in the transaction that deletes the row owning these objects, or that cancels a reservation. */
export async function discardKeys(trx: Transaction, keys: readonly string[]): Promise<void> {
  await list(trx, keys, sql`now()`)
  if (keys.length === 0) return
  await trx.query.deleteFrom('stored_files').where('storage_key', 'in', keys).execute()
}

async function list(
  handle: Handle,
  keys: readonly string[],
  deleteAfter: ReturnType<typeof sql>,
): Promise<void> {
  if (keys.length === 0) return
  // Sorted, so that concurrent callers lock the rows in the same order.
  const sorted = [...new Set(keys.map(storageKey))].toSorted()
  await sql`
    insert into storage_garbage (storage_key, delete_after)
    select key, ${deleteAfter} from unnest(${sorted}::text[]) as key
    on conflict (storage_key) do update set delete_after = excluded.delete_after
  `.execute(handle.query)
}

export interface Sweep {
  deleted: number
  /** Keys of objects that could not be deleted. They stay listed for a later sweep. */
  failed: string[]
}

/**
 * Deletes the objects that are due at `now`. May run concurrently with claims and with the sweeps of other instances.
 * Ends early when `signal` is aborted, or if a batch takes longer than `limitMs`. The next sweep continues from
 * there.
 */
export async function sweepStorageGarbage(
  db: Database,
  storage: Storage,
  now: Date,
  { signal, limitMs = batchLimitMs }: { signal?: AbortSignal; limitMs?: number } = {},
): Promise<Sweep> {
  const sweep: Sweep = { deleted: 0, failed: [] }
  for (;;) {
    const batch = await sweepBatch(db, storage, now, { stop: signal, limitMs })
    sweep.deleted += batch.deleted
    sweep.failed.push(...batch.failed)
    if (!batch.isMore) return sweep
  }
}

interface Limits {
  stop: AbortSignal | undefined
  limitMs: number
}

/**
 * The rows stay locked while their objects are deleted. A concurrent claim waits for the lock and then finds that its
 * key is no longer listed.
 */
async function sweepBatch(
  db: Database,
  storage: Storage,
  now: Date,
  limits: Limits,
): Promise<Sweep & { isMore: boolean }> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${sessionLocks.keepObjects}) as mine`.execute(trx.query)
    if (!rows[0]!.mine) return { deleted: 0, failed: [], isMore: false }
    const due = await trx.query
      .selectFrom('storage_garbage')
      .select('storage_key')
      .where('delete_after', '<=', now.toISOString())
      .orderBy('delete_after')
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
      .execute()
    const keys = due.map((row) => row.storage_key)
    const { deleted, failed, isInTime } = await deleteObjects(db, storage, keys, limits)
    if (deleted.length > 0) {
      await trx.query.deleteFrom('storage_garbage').where('storage_key', 'in', deleted).execute()
    }
    if (failed.length > 0) {
      const later = new Date(now.getTime() + retryHours * 3_600_000).toISOString()
      await trx.query
        .updateTable('storage_garbage')
        .set({ delete_after: later })
        .where('storage_key', 'in', failed)
        .execute()
    }
    return { deleted: deleted.length, failed, isMore: isInTime && keys.length === batchSize }
  })
}

/** Deletes a few objects at a time until the limit. Keys in neither returned list were not tried. */
async function deleteObjects(
  db: Database,
  storage: Storage,
  keys: readonly string[],
  { stop, limitMs }: Limits,
): Promise<{ deleted: string[]; failed: string[]; isInTime: boolean }> {
  const deleted: string[] = []
  const failed: string[] = []
  const timeLimit = AbortSignal.timeout(limitMs)
  const signal = stop ? AbortSignal.any([stop, timeLimit]) : timeLimit
  const waiting = keys.values()
  const deleteNext = async () => {
    for (const key of waiting) {
      if (signal.aborted) return
      try {
        await storage.delete(key, { signal })
        deleted.push(key)
      } catch (error) {
        // The shutdown aborted the request, so the deletion did not fail.
        if (stop?.aborted) return
        db.log.warn({ err: error, storage_key: key }, 'An object could not be deleted')
        failed.push(key)
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrentDeletes }, deleteNext))
  return { deleted, failed, isInTime: !signal.aborted }
}
