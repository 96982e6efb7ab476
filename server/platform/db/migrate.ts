// Migrates the schema to this version: plain SQL files, each applied once in the order of their names and in its own
// transaction. Many instances may start concurrently: an advisory lock serializes them.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { sessionLocks } from './advisory-locks.ts'
import { buildConnectionConfig } from './connection-config.ts'
import { DatabaseStartError } from './database-start-error.ts'
import type { Log } from '../process/log.ts'
import { withClient } from './with-client.ts'

interface Migration {
  name: string
  sql: string
  sha256: string
}

const oldestMajor = 15
const migrationsFolder = join(import.meta.dirname, 'migrations')

/**
 * Returns the names of the applied migrations. Throws a DatabaseStartError if the database does not match the code.
 */
export async function migrate(options: {
  connectionString: string
  log: Log
  folder?: string
  /** Applies only these migrations. Tests use it to write rows under an older schema. */
  only?: ReadonlySet<string>
}): Promise<string[]> {
  const migrations = await readMigrations(options.folder)
  // No timeout, because migrating a large table takes long, and so does waiting for another instance that migrates
  // it. The lock ends with the session.
  return withClient(buildConnectionConfig(options.connectionString), async (client) => {
    await refuseOldServer(client)
    await client.query('select pg_advisory_lock($1)', [sessionLocks.migrate])
    const applied = await readApplied(client)
    warnAboutNewerSchema(migrations, applied, options.log)
    const missing = findMissing(migrations, applied).filter(
      ({ name }) => options.only?.has(name) ?? true,
    )
    for (const migration of missing) {
      const start = performance.now()
      await apply(client, migration)
      const elapsedMs = Math.round(performance.now() - start)
      options.log.info({ migration: migration.name, elapsed_ms: elapsedMs }, 'Migration applied')
    }
    return missing.map(({ name }) => name)
  })
}

/** A dry run of `migrate`. Changes nothing, and throws the errors that `migrate` throws before its first change. */
export async function readMigrationState(
  connectionString: string,
): Promise<{ missing: string[]; newer: string[]; appliedCount: number }> {
  const migrations = await readMigrations()
  return withClient(buildConnectionConfig(connectionString), async (client) => {
    await refuseOldServer(client)
    const { rows } = await client.query(`select to_regclass('public.schema_migrations') as name`)
    const applied = rows[0].name === null ? new Map<string, string>() : await selectApplied(client)
    return {
      missing: findMissing(migrations, applied).map(({ name }) => name),
      newer: findNewer(migrations, applied),
      appliedCount: applied.size,
    }
  })
}

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const misnamed = names.find((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  if (misnamed) throw new DatabaseStartError(`Migration ${misnamed} is not named NNNN_name.sql.`)
  const twin = names.find((name, index) => names[index - 1]?.slice(0, 4) === name.slice(0, 4))
  if (twin) throw new DatabaseStartError(`Two migrations have the number of ${twin}.`)
  return Promise.all(
    names.map(async (name) => {
      // Git may check out files with other line endings, which must not change the hash.
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query('show server_version_num')
  const major = Math.floor(Number(rows[0].server_version_num) / 10_000)
  if (major >= oldestMajor) return
  throw new DatabaseStartError(
    `The database runs PostgreSQL ${major}; Velour needs PostgreSQL ${oldestMajor} or newer.`,
  )
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  await client.query(
    `create table if not exists schema_migrations (
       name text primary key,
       sha256 text not null,
       applied_at timestamptz not null default now()
     )`,
  )
  return selectApplied(client)
}

async function selectApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  )
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

/**
 * Matches migrations that remove something an earlier release used. They are marked in the name, because an older
 * Velour knows only the name.
 */
export const contractingName = /^\d{4}_contract_/

function findNewer(migrations: Migration[], applied: Map<string, string>): string[] {
  const known = new Set(migrations.map(({ name }) => name))
  return [...applied.keys()].filter((name) => !known.has(name))
}

/**
 * An older version may run beside newer ones, for example after a rollback. Migrations that only add to the schema do
 * not affect it.
 */
function warnAboutNewerSchema(
  migrations: Migration[],
  applied: Map<string, string>,
  log: Log,
): void {
  const newer = findNewer(migrations, applied)
  if (newer.length > 0) log.warn({ migrations: newer }, 'A newer Velour has migrated the database')
}

function findMissing(migrations: Migration[], applied: Map<string, string>): Migration[] {
  const contracting = findNewer(migrations, applied).find((name) => contractingName.test(name))
  if (contracting) {
    throw new DatabaseStartError(
      `A newer Velour removed something that this version may use (${contracting} is unknown here): start that version or a later one.`,
    )
  }
  const changed = migrations.find(({ name, sha256 }) => (applied.get(name) ?? sha256) !== sha256)
  if (changed) {
    throw new DatabaseStartError(
      `Migration ${changed.name} was changed after it had been applied to this database: ` +
        'restore the file and put the change into a new migration.',
    )
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
      migration.name,
      migration.sha256,
    ])
    await client.query('commit')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseStartError(
      `Migration ${migration.name} failed and was rolled back${getErrorLine(migration.sql, cause)}: ${reason}`,
      { cause },
    )
  }
}

function getErrorLine(sql: string, error: unknown): string {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : NaN
  if (!Number.isFinite(position)) return ''
  return ` (line ${sql.slice(0, position).split('\n').length})`
}
