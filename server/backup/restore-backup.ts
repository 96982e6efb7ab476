// Puts a backup into an empty database and an empty storage. The schema is first made as it was at the backup, then the
// rows are loaded in one transaction, then the newer migrations run: so a backup of any older version comes back.
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type * as z from 'zod/mini'
import { prepareDatabase, type DatabaseAddresses } from '../db/app-rights.ts'
import { connectionConfig } from '../db/connection-config.ts'
import { createDatabase, transaction } from '../db/database.ts'
import type { Log } from '../db/embedded-postgres.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { withClient } from '../db/with-client.ts'
import { openJobQueue } from '../jobs/job-queue.ts'
import type { Storage } from '../storage/storage.ts'
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
import { parse, readArchive, verifyArchive } from './read-archive.ts'

export interface RestoreTarget extends DatabaseAddresses {
  /** Null: rows only, to try them out. */
  storage: Storage | null
  /** Called with the key of the backup's data folder, when it has one. */
  keepSecret: (secret: string) => Promise<void>
  log: Parameters<typeof openJobQueue>[0]['log'] & Log
  progress?: (step: string) => void
  /** Breaks it off before the next entry is loaded, and a restore may begin anew; its reason is thrown. */
  stopWish?: AbortSignal
}

export interface RestoreResult {
  rowCount: number
  objectCount: number
  /** Migrations that this version added to the backup's. */
  migrations: string[]
}

/** Throws a BackupError when the backup is not whole, too new, or the target not empty. */
export async function restoreBackup(path: string, target: RestoreTarget): Promise<RestoreResult> {
  const { progress = () => {} } = target
  progress('Looking through the backup')
  const { start, end } = await verifyArchive(path, target.stopWish)
  await refuseUnknownMigrations(path, start)
  await refuseUsedTarget(target, end)
  const { log } = target
  const only = new Set(start.migrations.map(({ name }) => name))
  await migrate({ connectionString: target.owner, log, only })
  progress('Putting it in place')
  return withClient(connectionConfig(target.owner), async (client) => {
    await client.query('begin')
    const counts = await load(client, path, start, target)
    for (const [table, count] of Object.entries(end.rows)) {
      if (counts.rows.get(table) === count) continue
      throw new BackupError(`${table} got ${counts.rows.get(table) ?? 0} rows instead of ${count}.`)
    }
    await client.query('commit')
    progress('Bringing it up to date')
    const migrations = await prepareDatabase(target, { log })
    await enqueueJobs(target, counts.jobs)
    const rowCount = Object.values(end.rows).reduce((sum, count) => sum + count, 0)
    return { rowCount, objectCount: counts.objects, migrations }
  })
}

async function refuseUnknownMigrations(path: string, { migrations }: BackupStart): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]))
  const unknown = migrations.find(({ name, sha256 }) => known.get(name) !== sha256)
  if (!unknown) return
  throw new BackupError(
    `${path} was made by a newer Velour (${unknown.name} is unknown here): restore it with that version or a later one.`,
  )
}

/** What a restore that was broken off has left is no use of it. */
async function refuseUsedTarget({ owner, storage }: RestoreTarget, end: BackupEnd): Promise<void> {
  await withClient(connectionConfig(owner), async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('public.profiles') is not null as exists`,
    )
    const people = rows[0]!.exists ? await client.query('select from profiles limit 1') : null
    if (people?.rowCount) {
      throw new BackupError('There are people in the database: restore into an empty one.')
    }
  })
  if (!storage) return
  const own = new Set(end.entries.map(({ name }) => name))
  for await (const key of storage.list('')) {
    if (own.has(objectPrefix + key)) continue
    throw new BackupError(
      `The storage holds ${key}, which is not of this backup: restore into an empty one.`,
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
  path: string,
  { tables }: BackupStart,
  target: RestoreTarget,
): Promise<Loaded> {
  const loaded: Loaded = { rows: new Map(), objects: 0, jobs: [] }
  const tableOf = new Map(tables.map((table) => [tableEntry(table.name), table]))
  for (const { name } of tables) {
    // Rows arrive as they were: nothing is to be derived from them, told to anybody, or refused once more.
    await client.query(`alter table ${pg.escapeIdentifier(name)} disable trigger user`)
    await client.query(`delete from ${pg.escapeIdentifier(name)}`)
  }
  for await (const { name, byteSize, body } of readArchive(path, target.stopWish)) {
    const table = tableOf.get(name)
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
      loaded.jobs = parse(path, backupJobs, await text(body))
    } else {
      body.resume()
    }
  }
  // Deferred ones would be pending at the next statement.
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
