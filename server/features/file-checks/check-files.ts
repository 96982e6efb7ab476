// Compares every stored object with the size and hash in the database, least recently checked first, and finds orphaned
// objects. The results are stored in `stored_files`, and each run in `file_checks`.
import { sql } from 'kysely'
import { transaction, type Database } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { examineFile, type ExpectedFile } from './examine-file.ts'
import { findUnknownKeys, syncStoredFiles } from './owned-files.ts'

export interface FileCheck {
  checkedCount: number
  /** False if the time limit was reached. The next run checks the remaining files. */
  isComplete: boolean
  /** Keys of objects that no row refers to. */
  orphans: string[]
}

export interface FileCheckOptions {
  signal: AbortSignal
  bytesPerSecond?: number
  limitMs?: number
  /** Continues an unfinished run that is less than a day old. */
  resume?: boolean
}

const pageSize = 100
const maxConcurrentFiles = 4
const maxStoredRuns = 50
/** The key prefixes of Velour's objects. Other objects in the storage are ignored. */
const prefixes = ['audio/', 'covers/', 'avatars/', 'uploads/']
/** Minimum age of an orphaned object. Longer than the time between storing an object and inserting its row. */
const orphanGraceMs = 3600_000

/** Checks all files. Throws a StorageError `unavailable` if the storage does not respond. */
export async function checkFiles(
  { db, storage }: { db: Database; storage: Storage },
  options: FileCheckOptions,
): Promise<FileCheck> {
  const { signal, limitMs = Infinity } = options
  const startedAt = performance.now()
  await syncStoredFiles(db)
  const run = await openRun(db, options.resume ?? false)
  let checkedCount = run.checked_count
  let isComplete = true
  for (;;) {
    signal.throwIfAborted()
    const page = await readPage(db, run.started_at)
    if (page.length === 0) break
    await checkPage({ db, storage }, page, options)
    checkedCount += page.length
    await db.query
      .updateTable('file_checks')
      .set({ checked_count: checkedCount })
      .where('id', '=', run.id)
      .execute()
    if (performance.now() - startedAt < limitMs) continue
    isComplete = false
    break
  }
  const orphans = await findOrphans({ db, storage }, signal)
  await closeRun(db, run.id, orphans.length)
  return { checkedCount, isComplete, orphans }
}

async function openRun(db: Database, resume: boolean) {
  const run = ['id', 'started_at', 'checked_count'] as const
  const unfinished = resume
    ? await db.query
        .selectFrom('file_checks')
        .select(run)
        .where('finished_at', 'is', null)
        .where('started_at', '>', sql<string>`now() - interval '1 day'`)
        .orderBy('started_at', 'desc')
        .executeTakeFirst()
    : undefined
  return (
    unfinished ??
    (await db.query
      .insertInto('file_checks')
      .defaultValues()
      .returning(run)
      .executeTakeFirstOrThrow())
  )
}

async function closeRun(db: Database, id: string, orphanCount: number): Promise<void> {
  await sql`
    update file_checks
       set finished_at = now(), orphan_count = ${orphanCount},
           damaged_count = (select count(*) from stored_files where problem is not null)
     where id = ${id}`.execute(db.query)
  await sql`
    delete from file_checks where id not in (
      select id from file_checks order by started_at desc limit ${maxStoredRuns})`.execute(db.query)
}

type KnownFile = ExpectedFile & { problem: string | null }

function readPage(db: Database, startedAt: string): Promise<KnownFile[]> {
  return db.query
    .selectFrom('stored_files')
    .select(['storage_key', 'byte_size', 'sha256', 'problem'])
    .where((eb) => eb.or([eb('checked_at', 'is', null), eb('checked_at', '<', startedAt)]))
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .orderBy('storage_key')
    .limit(pageSize)
    .execute()
}

async function checkPage(
  services: { db: Database; storage: Storage },
  page: KnownFile[],
  { signal, bytesPerSecond }: FileCheckOptions,
): Promise<void> {
  const waiting = page.values()
  // A run with a rate limit reads one file at a time, because concurrent reads would exceed it.
  const atOnce = bytesPerSecond === undefined ? maxConcurrentFiles : 1
  const checkNext = async () => {
    for (const file of waiting) await checkFile(services, file, { signal, bytesPerSecond })
  }
  await Promise.all(Array.from({ length: atOnce }, checkNext))
}

async function checkFile(
  { db, storage }: { db: Database; storage: Storage },
  file: KnownFile,
  options: { signal: AbortSignal; bytesPerSecond: number | undefined },
): Promise<void> {
  const { problem, found } = await examineFile(storage, file, options)
  const learned = problem === null && file.sha256 === null ? found : null
  await transaction(db, async (trx) => {
    // Updates nothing if the object was deleted together with its row in the meantime.
    const recorded = await trx.query
      .updateTable('stored_files')
      .set({
        checked_at: sql<string>`now()`,
        problem,
        ...(problem === null && { repair_queued_at: null }),
        ...(learned && { byte_size: learned.byte_size, sha256: learned.sha256 }),
      })
      .where('storage_key', '=', file.storage_key)
      .where('sha256', file.sha256 === null ? 'is' : '=', file.sha256)
      .executeTakeFirst()
    if (recorded.numUpdatedRows > 0n && problem !== file.problem) {
      await notifyOwner(trx, file.storage_key)
    }
  })
}

/**
 * Sends an event about the changed track or picture. Instances then play another rendition, or this one again after its
 * repair.
 */
async function notifyOwner(trx: Parameters<typeof notify>[0], key: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select track_id as id from renditions where storage_key = ${key}
     union select id from tracks where source_key = ${key}`.execute(trx.query)
  for (const { id } of rows) await notify(trx, 'tracks', id)
}

/**
 * Finds objects that no row refers to. Reads the rows after listing the objects, so that a newly stored object already
 * has its row or its key is reserved.
 */
async function findOrphans(
  { db, storage }: { db: Database; storage: Storage },
  signal: AbortSignal,
): Promise<string[]> {
  const orphans: string[] = []
  const addOrphansAmong = async (keys: string[]) => {
    signal.throwIfAborted()
    for (const key of await findUnknownKeys(db, keys)) {
      const stat = await storage.stat(key)
      if (stat && stat.lastModified.getTime() < Date.now() - orphanGraceMs) orphans.push(key)
    }
  }
  for (const prefix of prefixes) {
    let keys: string[] = []
    for await (const key of storage.list(prefix)) {
      if (keys.push(key) < 500) continue
      await addOrphansAmong(keys)
      keys = []
    }
    await addOrphansAmong(keys)
  }
  return orphans
}
