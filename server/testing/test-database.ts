// A database of a test file's own: a clone of the migrated template, dropped at the end.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase, type Database } from '../db/database.ts'
import type { Log } from '../db/embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the migrated template database; never connect to it, or cloning fails. */
    testTemplate: string
  }
}

export interface TestDatabase {
  connectionString: string
  db: Database
  /** Closes `db` and drops the database, also under connections that others left open. */
  drop(): Promise<void>
}

const log: Log = { info() {}, warn: console.warn, error: console.error }

/** Call it in `beforeAll`, and `drop()` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = inject('testTemplate')
  const connectionString = await createDatabaseBeside(template, nameOf(template))
  const db = createDatabase({ connectionString, maxConnections: 6, log })
  return {
    connectionString,
    db,
    async drop() {
      await db.close()
      await command(template, `drop database "${nameOf(connectionString)}" with (force)`)
    },
  }
}

/** A new database on the same server, copied from `template`; returns its connection string. */
export async function createDatabaseBeside(beside: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await command(beside, `create database "${name}" template "${template}"`)
  return withDatabase(beside, name)
}

async function command(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client(withDatabase(connectionString, 'postgres'))
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function nameOf(connectionString: string): string {
  return new URL(connectionString).pathname.slice(1)
}

function withDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return url.href
}
