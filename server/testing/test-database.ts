// Creates a separate database for each test file: a copy of the migrated template, dropped at the end.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase, type Database } from '../platform/db/database.ts'
import type { Log } from '../platform/process/log.ts'
import { queryAt } from '../platform/db/with-client.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Connection string of the template database for the owner's role. Never connect to it, because the template
     * can't be copied during a connection.
     */
    testTemplate: string
    /** Connection string of the template database for the server's role. */
    testTemplateApp: string
  }
}

export interface TestDatabase {
  /** For the server's role, which may not change the schema. */
  connectionString: string
  ownerConnectionString: string
  /** Connected with the server's role. */
  db: Database
  /** Runs statements as the owner of the tables. */
  asOwner(sql: string): Promise<void>
  /** Closes `db` and drops the database, even if other connections are open. */
  drop(): Promise<void>
}

const log: Log = { info() {}, warn: console.warn, error: console.error }

/** Creates the database. Call it in `beforeAll`, and `drop()` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = inject('testTemplate')
  const ownerConnectionString = await createDatabaseBeside(template, nameOf(template))
  const name = nameOf(ownerConnectionString)
  const connectionString = withDatabase(inject('testTemplateApp'), name)
  const db = createDatabase({ connectionString, maxConnections: 6, log })
  return {
    connectionString,
    ownerConnectionString,
    db,
    asOwner: (sql) => command(ownerConnectionString, sql),
    async drop() {
      await db.close()
      await command(withDatabase(template, 'postgres'), `drop database "${name}" with (force)`)
    },
  }
}

/** Creates a database on the same server as a copy of `template`. Returns its connection string. */
export async function createDatabaseBeside(beside: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await command(
    withDatabase(beside, 'postgres'),
    `create database "${name}" template "${template}"`,
  )
  return withDatabase(beside, name)
}

async function command(connectionString: string, sql: string): Promise<void> {
  await queryAt(connectionString, sql)
}

export function nameOf(connectionString: string): string {
  return new URL(connectionString).pathname.slice(1)
}

export function withDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return url.href
}
