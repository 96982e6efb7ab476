// Reads the names of tables, columns and sequences from the database's system catalog, so that backups always include
// new tables.
import type pg from 'pg'
import type * as z from 'zod/mini'
import { jobNames } from '../../platform/jobs/job-kinds.ts'
import type { BackupStart, backupJobs } from './backup-format.ts'

/**
 * Tables whose rows concern only this installation, so backups do not contain them: rate limits, backups, file checks,
 * running instances and their builds.
 */
const excludedTables = [
  'schema_migrations',
  'rate_limits',
  'traffic_counts',
  'backups',
  'file_checks',
  'backup_runs',
  'instances',
  'alerts',
  'alert_rounds',
  'web_assets',
]

type BackupTable = BackupStart['tables'][number]

/**
 * Tables with their stored columns, in the order of a restore: referenced tables precede the tables that refer to them.
 */
export async function readTables(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select c.relname as name,
            array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and c.relname <> all($1)
      group by c.relname order by c.relname`,
    [excludedTables],
  )
  const references = await client.query<{ child: string; parent: string }>(
    `select distinct conrelid::regclass::text as child, confrelid::regclass::text as parent
       from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  )
  return sortByReferences(rows, references.rows)
}

function sortByReferences(
  tables: BackupTable[],
  references: { child: string; parent: string }[],
): BackupTable[] {
  const sorted: BackupTable[] = []
  const waiting = new Map(tables.map((table) => [table.name, table]))
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ name }) =>
      references.every(({ child, parent }) => child !== name || !waiting.has(parent)),
    )
    if (free.length === 0)
      throw new Error(`Circular references between tables: ${[...waiting.keys()]}`)
    for (const table of free) {
      sorted.push(table)
      waiting.delete(table.name)
    }
  }
  return sorted
}

/**
 * Storage keys of all objects that belong to rows. Pictures are given as key prefixes, because each size is a separate
 * file.
 */
export async function readOwnedKeys(
  client: pg.ClientBase,
): Promise<{ keys: string[]; prefixes: string[] }> {
  const owned = await client.query<{ key: string }>(
    `select source_key as key from tracks where source_key is not null
      union all select storage_key from renditions
      union all select path from uploads where status = 'complete'
      ${(await hasTable(client, 'track_evidence')) ? 'union all select storage_key from track_evidence' : ''}`,
  )
  const pictures = await client.query<{ prefix: string }>(
    `select case kind when 'cover' then 'covers/' else 'avatars/' end || id || '/' as prefix from images`,
  )
  const emblems = (await hasTable(client, 'branding'))
    ? await client.query<{ prefix: string }>(
        `select 'branding/' || emblem || '/' as prefix
           from branding, unnest(array[logo_id, icon_id]) emblem where emblem is not null`,
      )
    : { rows: [] }
  return {
    keys: owned.rows.map(({ key }) => key),
    prefixes: [...pictures.rows, ...emblems.rows].map(({ prefix }) => prefix),
  }
}

/** Returns false if the database schema is older than the table. */
async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    'select to_regclass($1) is not null as exists',
    [`public.${name}`],
  )
  return rows[0]!.exists
}

/**
 * A known text encrypted with the SECRET, to check it at a restore. Null if the schema is older than this check, or if
 * no server was ever started with the database.
 */
export async function readSecretCheck(client: pg.ClientBase): Promise<string | null> {
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('public.installation') is not null as exists`,
  )
  if (!table.rows[0]!.exists) return null
  const { rows } = await client.query<{ secret_check: string }>(
    'select secret_check from installation',
  )
  return rows[0]?.secret_check || null
}

/**
 * Unfinished jobs for the backup. Emails are left out, because after a restore they would be sent twice or too late.
 */
export async function readWaitingJobs(client: pg.ClientBase): Promise<z.infer<typeof backupJobs>> {
  const queue = await client.query<{ exists: boolean }>(
    `select to_regclass('jobs.job') is not null as exists`,
  )
  if (!queue.rows[0]!.exists) return []
  const { rows } = await client.query<{ name: string; payload: unknown; priority: number }>(
    `select name, data as payload, priority from jobs.job
      where state in ('created', 'retry', 'active') and name = any($1) and name not in ('send-mail', 'make-backup')
      order by created_on`,
    [jobNames],
  )
  return rows
}
