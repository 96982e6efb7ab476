// Invariant: every object has an owner or is on the garbage list, even after a crash. A key is listed before its object
// is written. The transaction that makes a row own the object removes the key from the list; dropping the row lists it
// again. The sweep deletes listed objects that are due.
import { sql } from 'kysely'
import { sessionLocks } from '../db/advisory-locks.ts'
import { transaction, type Database, type Handle, type Transaction } from '../db/database.ts'
import { storageKey, type Storage } from './storage.ts'

/** Longer than any upload or transcode takes between its reservation and the row that owns the object. */
const reservationHours = 24
const batchSize = 100
const retryHours = 1
const maxConcurrentDeletes = 8
/** Shorter than idle_in_transaction_session_timeout: a minute of idling loses the record of the deleted objects. */
const batchLimitMs = 20_000

/**
 * Call it before writing the objects, outside any transaction, so that the list survives a crash. Inside a transaction
 * it is only safe if another row owns the objects until the commit.
 */
export async function reserveKeys(
  handle: Handle,
  keys: readonly string[],
  reservedHours: number = reservationHours,
): Promise<void> {
  await list(handle, keys, sql`now() + make_interval(hours => ${reservedHours})`)
}

/**
 * Call it in the transaction that makes a row own these objects. Throws if a key is no longer listed: the sweep has
 * deleted its object, so the row must not be committed.
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

/** Call it in the transaction that deletes the owner of these objects or cancels a reservation. */
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
  /** Keys whose objects could not be deleted. They stay listed for a later sweep. */
  failed: string[]
}

/**
 * Deletes the objects that are due at `now`. Safe beside claims and the sweeps of other instances. Ends early on
 * `signal`, or if a batch takes longer than `limitMs`; the next sweep continues from there.
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

/** The rows stay locked while their objects are deleted: a concurrent claim waits and then finds its key gone. */
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

/** Deletes a few at a time until the limit. Keys in neither list were not reached. */
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
        // The request was aborted by the shutdown, so the object may be fine.
        if (stop?.aborted) return
        db.log.warn({ err: error, storage_key: key }, 'An object could not be deleted')
        failed.push(key)
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrentDeletes }, deleteNext))
  return { deleted, failed, isInTime: !signal.aborted }
}
