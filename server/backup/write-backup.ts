// Makes a backup of one moment while the server runs: rows from one snapshot, and the objects that those rows name,
// which nothing deletes until the backup is whole. Objects never change under their key.
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { connectionConfig } from '../db/connection-config.ts'
import { withClient } from '../db/with-client.ts'
import { isStorageError, type OpenObject, type Storage } from '../storage/storage.ts'
import { keepObjectsLock } from '../storage/storage-garbage.ts'
import { createArchive, type ArchiveWriter } from './archive-writer.ts'
import {
  backupFormat,
  jobsEntry,
  objectPrefix,
  secretEntry,
  startEntry,
  tableEntry,
  type BackupEnd,
  type BackupStart,
} from './backup-format.ts'
import { readOwnedKeys, readTables, readWaitingJobs } from './backup-schema.ts'

const pieceBytes = 1024 * 1024

export interface BackupResult {
  byteSize: number
  rowCount: number
  objectCount: number
  /** Objects that the database names and the storage does not have. */
  missingObjects: string[]
}

export interface BackupSource {
  /** The server's role is enough. */
  connectionString: string
  storage: Storage
  /** Kept in the backup; null where the environment gives the key. */
  secretFile: string | null
  velourVersion: string
  now: () => Date
  /** Rows only, to try something out on them; not remembered as a backup. */
  isTrial?: boolean
  progress?: (step: string) => void
  /** Breaks it off before the next table or object; its reason is thrown. */
  stopWish?: AbortSignal
}

/** Writes the backup to `path`. What fails half-way leaves no file. */
export async function writeBackup(source: BackupSource, path: string): Promise<BackupResult> {
  const archive = createArchive(path)
  try {
    // The lock ends with the session.
    return await withClient(connectionConfig(source.connectionString), (client) =>
      writeEntries(client, source, archive),
    )
  } catch (error) {
    await archive.abort()
    throw error
  }
}

async function writeEntries(
  client: pg.Client,
  source: BackupSource,
  archive: ArchiveWriter,
): Promise<BackupResult> {
  const { storage, progress = () => {} } = source
  // First the lock, then the moment: whatever the moment shows is there from now on.
  await client.query('select pg_advisory_lock_shared($1)', [keepObjectsLock])
  await client.query('begin isolation level repeatable read read only')
  const start = await describe(client, source)
  await archive.addText(startEntry, `${JSON.stringify(start, null, 1)}\n`)
  if (source.secretFile) {
    await archive.addText(secretEntry, await readFile(source.secretFile, 'utf8'))
  }
  await archive.addText(jobsEntry, JSON.stringify(await readWaitingJobs(client)))
  progress('Rows')
  const rows = await storage.withScratchFolder((folder) =>
    addTables(client, source, { archive, start, folder }),
  )
  const owned = await readOwnedKeys(client)
  await client.query('commit')
  progress('Audio and pictures')
  const objects = source.isTrial
    ? { count: 0, missing: [] }
    : await addObjects(source, archive, owned)
  const end = { rows, missing_objects: objects.missing }
  const byteSize = await archive.finish(end)
  if (!source.isTrial) await remember(client, byteSize, objects.count)
  return {
    byteSize,
    rowCount: Object.values(rows).reduce((sum, count) => sum + count, 0),
    objectCount: objects.count,
    missingObjects: objects.missing,
  }
}

/** In the database's own books, unless it is older than they are. */
async function remember(client: pg.Client, byteSize: number, objectCount: number): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.backups') is not null as exists`,
  )
  if (!rows[0]!.exists) return
  await client.query('insert into backups (byte_size, object_count) values ($1, $2)', [
    byteSize,
    objectCount,
  ])
}

async function describe(client: pg.Client, source: BackupSource): Promise<BackupStart> {
  const { rows } = await client.query<BackupStart['migrations'][number]>(
    'select name, sha256 from schema_migrations order by name',
  )
  return {
    format: backupFormat,
    velour_version: source.velourVersion,
    created_at: source.now().toISOString(),
    migrations: rows,
    tables: await readTables(client),
  }
}

async function addTables(
  client: pg.Client,
  { stopWish }: BackupSource,
  { archive, start, folder }: { archive: ArchiveWriter; start: BackupStart; folder: string },
): Promise<BackupEnd['rows']> {
  const counts: BackupEnd['rows'] = {}
  for (const { name, columns } of start.tables) {
    stopWish?.throwIfAborted()
    // The archive wants to know sizes before contents.
    const file = join(folder, `${name}.gz`)
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const rows = client.query(copyTo(`copy ${pg.escapeIdentifier(name)} (${list}) to stdout`))
    await pipeline(rows, createGzip({ level: 6 }), createWriteStream(file))
    counts[name] = rows.rowCount
    await archive.addFile(tableEntry(name), file)
  }
  return counts
}

async function addObjects(
  { storage, stopWish }: BackupSource,
  archive: ArchiveWriter,
  owned: { keys: string[]; prefixes: string[] },
): Promise<{ count: number; missing: string[] }> {
  let count = 0
  const missing: string[] = []
  for await (const key of allKeys(storage, owned)) {
    stopWish?.throwIfAborted()
    const object = await storage.open(key).catch((error: unknown) => {
      if (!isStorageError(error, 'not_found')) throw error
      missing.push(key)
      return null
    })
    if (!object) continue
    try {
      await archive.add(objectPrefix + key, object.byteSize, readWhole(object))
    } finally {
      await object.close()
    }
    count++
  }
  return { count, missing }
}

async function* allKeys(storage: Storage, owned: { keys: string[]; prefixes: string[] }) {
  yield* owned.keys
  for (const prefix of owned.prefixes) yield* storage.list(prefix)
}

function readWhole(object: OpenObject): Readable {
  return Readable.from(
    (async function* pieces() {
      for (let position = 0; position < object.byteSize;) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, object.byteSize - position))
        const count = await object.read([piece], position)
        if (count === 0) throw new Error('An object ended before its size')
        position += count
        yield piece.subarray(0, count)
      }
    })(),
    { objectMode: false },
  )
}
