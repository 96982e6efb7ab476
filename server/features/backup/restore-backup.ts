// Restores a backup into an empty database and an empty storage. Creates the schema of the backup's version, loads the
// rows in one transaction, and then runs newer migrations, so backups of any older version can be restored.
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type * as z from 'zod/mini'
import { prepareDatabase, type DatabaseAddresses } from '../../platform/db/app-rights.ts'
import { buildConnectionConfig } from '../../platform/db/connection-config.ts'
import { createDatabase, transaction } from '../../platform/db/database.ts'
import type { Log } from '../../platform/process/log.ts'
import { migrate, readMigrations } from '../../platform/db/migrate.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { openJobQueue } from '../../platform/jobs/job-queue.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { isKeyOf } from '../../platform/security/secret-check.ts'
import {
  BackupError,
  backupJobs,
  jobsEntry,
  objectPrefix,
  secretEntry,
  tableEntry,
  type BackupEnd,
  type BackupStart,
} from './backup-format.ts'
import { openBackupFile, parse, verifyArchive, type BackupReader } from './read-archive.ts'

export interface RestoreTarget extends DatabaseAddresses {
  /** Null for a trial, which restores only the rows. */
  storage: Storage | null
  /** Called with the secret from the backup's data folder, if the backup contains one. */
  keepSecret: (secret: string) => Promise<void>
  /** The available secrets. One of them must match the backup's database, unless the backup contains its secret. */
  secrets?: readonly string[]
  /** Whether the secrets come from the environment, which takes precedence over the secret in the backup. */
  isSecretSet?: boolean
  /** Called after all checks, before anything in the target is changed. */
  onLoading?: () => Promise<void>
  /** Called after the rows and files are restored. */
  onLoaded?: () => Promise<void>
  log: Parameters<typeof openJobQueue>[0]['log'] & Log
  progress?: (step: string) => void
  /**
   * If aborted, stops before the next entry is loaded and throws the signal's reason. The restore can then be started
   * again.
   */
  stopSignal?: AbortSignal
}

export interface RestoreResult {
  rowCount: number
  objectCount: number
  /** The newer migrations that ran after the rows were loaded. */
  migrations: string[]
  /** Keys of objects that the storage did not contain when the backup was created. */
  missingObjects: string[]
}

/**
 * Restores a backup. Throws a BackupError if it is incomplete or was created by a newer version, or if the target is
 * not empty.
 */
export async function restoreBackup(
  from: string | BackupReader,
  target: RestoreTarget,
): Promise<RestoreResult> {
  const { progress = () => {} } = target
  const backup = typeof from === 'string' ? openBackupFile(from) : from
  const path = backup.name
  progress('Checking the backup')
  const { start, end } = await verifyArchive(backup, target.stopSignal)
  await refuseUnknownMigrations(path, start)
  refuseOtherSecret(path, start, end, target)
  await refuseUsedTarget(target, end)
  await target.onLoading?.()
  const { log } = target
  const only = new Set(start.migrations.map(({ name }) => name))
  await migrate({ connectionString: target.owner, log, only })
  progress('Restoring rows and files')
  return withClient(buildConnectionConfig(target.owner), async (client) => {
    await client.query('begin')
    const counts = await load(client, backup, start, target)
    for (const [table, count] of Object.entries(end.rows)) {
      if (counts.rows.get(table) === count) continue
      throw new BackupError(
        `${table} has ${counts.rows.get(table) ?? 0} rows after the restore instead of ${count}.`,
      )
    }
    await client.query('commit')
    await target.onLoaded?.()
    progress('Running newer migrations')
    const migrations = await prepareDatabase(target, { log })
    await markStorage(client, target.storage)
    await enqueueJobs(target, counts.jobs)
    const rowCount = Object.values(end.rows).reduce((sum, count) => sum + count, 0)
    const missingObjects = end.missing_objects
    return { rowCount, objectCount: counts.objects, migrations, missingObjects }
  })
}

async function refuseUnknownMigrations(path: string, { migrations }: BackupStart): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]))
  const unknown = migrations.find(({ name, sha256 }) => known.get(name) !== sha256)
  if (!unknown) return
  throw new BackupError(
    `${path} was created by a newer Velour (this version does not have ${unknown.name}): restore it with that version or a later one.`,
  )
}

/**
 * Throws if no available secret matches. Checked before anything is loaded, because the server would refuse to start
 * with another secret.
 */
function refuseOtherSecret(
  path: string,
  { secret_check }: BackupStart,
  end: BackupEnd,
  { secrets, isSecretSet = false }: RestoreTarget,
): void {
  const hasOwnSecret = !isSecretSet && end.entries.some(({ name }) => name === secretEntry)
  if (!secrets || !secret_check || hasOwnSecret) return
  if (secrets.some((secret) => isKeyOf(secret_check, secret))) return
  const what = secrets.length > 0 ? 'another SECRET' : 'a SECRET that it does not contain'
  throw new BackupError(
    `${path} was created with ${what}: set SECRET to the value of the original service; ` +
      'if it is lost, set ACCEPT_NEW_SECRET=on for the restore and the first start, which signs everybody out and loses what it encrypted.',
  )
}

/** Writes the database's installation id into the storage, so that both belong together. */
async function markStorage(client: pg.Client, storage: Storage | null): Promise<void> {
  if (!storage) return
  const { rows } = await client.query<{ id: string }>(
    'update installation set storage_marked_at = now() returning id',
  )
  await storage.writeInstallationId(rows[0]!.id)
}

/** Throws if the target contains data. Leftovers of an interrupted restore do not count. */
async function refuseUsedTarget({ owner, storage }: RestoreTarget, end: BackupEnd): Promise<void> {
  await withClient(buildConnectionConfig(owner), async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('public.profiles') is not null as exists`,
    )
    const people = rows[0]!.exists ? await client.query('select from profiles limit 1') : null
    if (people?.rowCount) {
      throw new BackupError('The database already contains accounts. Restore into an empty one.')
    }
  })
  if (!storage) return
  const own = new Set(end.entries.map(({ name }) => name))
  for await (const key of storage.list('')) {
    if (own.has(objectPrefix + key)) continue
    throw new BackupError(
      `The storage contains ${key}, which is not part of this backup. Restore into an empty one.`,
    )
  }
}

interface Loaded {
  rows: Map<string, number>
  objects: number
  jobs: z.infer<typeof backupJobs>
}

async function load(
  client: pg.Client,
  backup: BackupReader,
  { tables }: BackupStart,
  target: RestoreTarget,
): Promise<Loaded> {
  const loaded: Loaded = { rows: new Map(), objects: 0, jobs: [] }
  const tablesByEntry = new Map(tables.map((table) => [tableEntry(table.name), table]))
  for (const { name } of tables) {
    // Disable triggers to load the rows unchanged: no trigger may derive data, send events or reject a row.
    await client.query(`alter table ${pg.escapeIdentifier(name)} disable trigger user`)
    await client.query(`delete from ${pg.escapeIdentifier(name)}`)
  }
  for await (const { name, byteSize, body } of backup.entries(target.stopSignal)) {
    const table = tablesByEntry.get(name)
    if (table) {
      const list = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ')
      const copy = client.query(
        copyFrom(`copy ${pg.escapeIdentifier(table.name)} (${list}) from stdin`),
      )
      await pipeline(body, createGunzip(), copy)
      loaded.rows.set(table.name, copy.rowCount)
    } else if (name.startsWith(objectPrefix) && target.storage) {
      await target.storage.put(name.slice(objectPrefix.length), body, { byteSize })
      loaded.objects++
    } else if (name === secretEntry) {
      await target.keepSecret((await text(body)).trim())
    } else if (name === jobsEntry) {
      loaded.jobs = parse(backup.name, backupJobs, await text(body))
    } else {
      body.resume()
    }
  }
  // Check deferred constraints now. Otherwise, the pending checks would make the next statement fail.
  await client.query('set constraints all immediate')
  for (const { name } of tables) {
    await client.query(`alter table ${pg.escapeIdentifier(name)} enable trigger user`)
  }
  return loaded
}

async function enqueueJobs({ app, log }: RestoreTarget, jobs: Loaded['jobs']): Promise<void> {
  if (jobs.length === 0) return
  const db = createDatabase({ connectionString: app, maxConnections: 2, log })
  const queue = await openJobQueue({ connectionString: app, log })
  try {
    await transaction(db, async (trx) => {
      for (const { name, payload, priority } of jobs) {
        await queue.enqueueAgain(trx, name, payload, priority)
      }
    })
  } finally {
    await queue.stop()
    await db.close()
  }
}
