// Writes a consistent backup while the server runs: the rows from one database snapshot, and the objects that these
// rows refer to. A lock prevents the deletion of the objects until the backup is complete. The content of an object
// never changes.
import { createWriteStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { BuildVersion } from '../../platform/config/build-version.ts'
import type { Config } from '../../platform/config/config.ts'
import { buildConnectionConfig } from '../../platform/db/connection-config.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { isStorageError, type Storage } from '../../platform/storage/storage.ts'
import { isKeyOf } from '../../platform/security/secret-check.ts'
import { sessionLocks } from '../../platform/db/advisory-locks.ts'
import { createArchive, fileOutput, type BackupWriter } from './archive-writer.ts'
import {
  backupFormat,
  jobsEntry,
  secretEntry,
  startEntry,
  tableEntry,
  type BackupEnd,
  type BackupStart,
} from './backup-format.ts'
import { readOwnedKeys, readSecretCheck, readTables, readWaitingJobs } from './backup-schema.ts'

export interface BackupResult {
  byteSize: number
  rowCount: number
  objectCount: number
  /** Keys of objects that the database refers to but the storage does not contain. */
  missingObjects: string[]
}

export interface BackupSource {
  /** The database connection. The server's own role is sufficient. */
  connectionString: string
  storage: Storage
  /** The file with the secret, which is stored in the backup. Null if the secret is in the environment. */
  secretFile: string | null
  build: BuildVersion
  now: () => Date
  /** Writes only rows, for a trial backup, which is not recorded as a backup. */
  isTrial?: boolean
  progress?: (step: string) => void
  /** Called with the number of files and pictures that are done, and their total number. */
  onProgress?: (done: number, total: number) => void
  /** If aborted, stops before the next table or object and throws the signal's reason. */
  stopSignal?: AbortSignal
}

/** The file with the secret in the data folder. Null if the secret is in the environment. */
export function findSecretFile({
  secret,
  dataDir,
}: Pick<Config, 'secret' | 'dataDir'>): string | null {
  const path = join(dataDir, 'secret')
  return secret === null && existsSync(path) ? path : null
}

/** Writes the backup to a file or another output. If it fails, no incomplete backup is left. */
export async function writeBackup(
  source: BackupSource,
  to: string | BackupWriter,
): Promise<BackupResult> {
  const archive = typeof to === 'string' ? createArchive(fileOutput(to)) : to
  try {
    // The advisory lock is released when this database session ends.
    return await withClient(buildConnectionConfig(source.connectionString), (client) =>
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
  archive: BackupWriter,
): Promise<BackupResult> {
  const { storage, progress = () => {} } = source
  // Take the lock before the snapshot, so that no object that the snapshot refers to is deleted.
  await client.query('select pg_advisory_lock_shared($1)', [sessionLocks.keepObjects])
  await client.query('begin isolation level repeatable read read only')
  const start = await readBackupStart(client, source)
  await archive.addText(startEntry, `${JSON.stringify(start, null, 1)}\n`)
  const secret = source.secretFile && (await readFile(source.secretFile, 'utf8'))
  // Skip the file if its secret is another one: SECRET may have been set after the file was created.
  if (secret && (!start.secret_check || isKeyOf(start.secret_check, secret.trim()))) {
    await archive.addText(secretEntry, secret)
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
  if (!source.isTrial) await recordBackup(client, byteSize, objects)
  return {
    byteSize,
    rowCount: Object.values(rows).reduce((sum, count) => sum + count, 0),
    objectCount: objects.count,
    missingObjects: objects.missing,
  }
}

/** Records the backup in the table `backups`, unless the database schema is older than that table. */
async function recordBackup(
  client: pg.Client,
  byteSize: number,
  { count, missing }: { count: number; missing: string[] },
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass('public.backups') and attnum > 0`,
  )
  if (rows.length === 0) return
  const facts: [string, number][] = [
    ['byte_size', byteSize],
    ['object_count', count],
    ['missing_count', missing.length],
  ]
  const known = facts.filter(([column]) => rows.some(({ name }) => name === column))
  await client.query(
    `insert into backups (${known.map(([column]) => column).join(', ')})
     values (${known.map((_, index) => `$${index + 1}`).join(', ')})`,
    known.map(([, value]) => value),
  )
}

async function readBackupStart(client: pg.Client, source: BackupSource): Promise<BackupStart> {
  const { rows } = await client.query<BackupStart['migrations'][number]>(
    'select name, sha256 from schema_migrations order by name',
  )
  return {
    format: backupFormat,
    velour_version: source.build.version,
    velour_commit: source.build.commit,
    created_at: source.now().toISOString(),
    secret_check: (await readSecretCheck(client)) ?? undefined,
    migrations: rows,
    tables: await readTables(client),
  }
}

async function addTables(
  client: pg.Client,
  { stopSignal }: BackupSource,
  { archive, start, folder }: { archive: BackupWriter; start: BackupStart; folder: string },
): Promise<BackupEnd['rows']> {
  const counts: BackupEnd['rows'] = {}
  for (const { name, columns } of start.tables) {
    stopSignal?.throwIfAborted()
    // Write the rows to a local file first: a tar header contains the size before the content.
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
  { storage, stopSignal, onProgress }: BackupSource,
  archive: BackupWriter,
  owned: { keys: string[]; prefixes: string[] },
): Promise<{ count: number; missing: string[] }> {
  let count = 0
  const missing: string[] = []
  const add = async (key: string) => {
    stopSignal?.throwIfAborted()
    const object = await storage.open(key).catch((error: unknown) => {
      if (!isStorageError(error, 'not_found')) throw error
      missing.push(key)
      return null
    })
    if (!object) return
    try {
      await archive.addObject(key, object)
    } finally {
      await object.close()
    }
    count++
  }
  const total = owned.keys.length + owned.prefixes.length
  let done = 0
  const countOne = () => onProgress?.(++done, total)
  onProgress?.(done, total)
  for (const key of owned.keys) {
    await add(key)
    countOne()
  }
  for (const prefix of owned.prefixes) {
    let sizes = 0
    for await (const key of storage.list(prefix)) {
      await add(key)
      sizes++
    }
    // The table does not list the sizes of a picture, so only the loss of all of them can be detected.
    if (sizes === 0) missing.push(prefix)
    countOne()
  }
  return { count, missing }
}
