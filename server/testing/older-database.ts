// A database that a test migrates step by step, to check upgrades of a database with rows.
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../platform/db/migrate.ts'
import type { Log } from '../platform/process/log.ts'
import { createDatabaseBeside } from './test-database.ts'

export interface OlderDatabase {
  connectionString: string
  client: pg.Client
  /** Runs the migrations up to this number, such as `0103`. Returns the names of the applied ones. */
  migrateTo: (last: string) => Promise<string[]>
  readRows: (table: string) => Promise<Record<string, unknown>[]>
  close: () => Promise<void>
}

const released = join(import.meta.dirname, '../platform/db/migrations')
const log: Log = { info() {}, warn() {}, error() {} }

/** Creates an empty database. */
export async function openOlderDatabase(): Promise<OlderDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-older-'))
  const connectionString = await createDatabaseBeside(inject('testTemplate'), 'template1')
  const client = new pg.Client(connectionString)
  await client.connect()
  return {
    connectionString,
    client,
    async migrateTo(last) {
      const names = (await readdir(released)).filter(
        (name) => name.endsWith('.sql') && name.slice(0, 4) <= last,
      )
      for (const name of names) await copyFile(join(released, name), join(folder, name))
      return migrate({ connectionString, log, folder })
    },
    async readRows(table) {
      const { rows } = await client.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`,
      )
      return rows.map(({ row }) => row)
    },
    async close() {
      await client.end()
      await rm(folder, { recursive: true })
    },
  }
}
