// Records the SQL statements of an operation, and runs only these statements again. An operation can't be faster.
import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import type { Actor, MemberContext } from '#server/platform/operations/context.ts'
import { columnTypes } from '#server/platform/db/column-types.ts'
import { buildConnectionConfig } from '#server/platform/db/connection-config.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Tables } from '#server/platform/db/tables.ts'

export interface Statement {
  text: string
  values: readonly unknown[]
}

export interface BareSql {
  pool: pg.Pool
  /** Runs an operation of the server in this process, as the person with this email address. Returns its statements. */
  record: (email: string, run: (ctx: MemberContext) => Promise<unknown>) => Promise<Statement[]>
  /** Runs all statements at the same time, as operations do, and reads every row. */
  run: (statements: readonly Statement[]) => Promise<unknown>
  close: () => Promise<void>
}

/** Returns the name of a prepared statement. A hash, because PostgreSQL limits names to 63 bytes. */
const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url')

export function openBareSql(connectionString: string): BareSql {
  const pool = new pg.Pool({
    ...buildConnectionConfig(connectionString),
    max: 40,
    types: columnTypes,
  })
  return {
    pool,
    async record(email, run) {
      const statements: Statement[] = []
      const query = new Kysely<Tables>({
        dialect: new PostgresDialect({ pool }),
        log: ({ query: { sql: text, parameters: values } }) =>
          void statements.push({ text, values }),
      })
      const log = pino({ level: 'silent' })
      const db: Database = { query, pool, log, close: async () => {} }
      const actor = await findActor(pool, email)
      await run({ db, actor, now: () => new Date(), log, ip: '127.0.0.1' })
      return statements
    },
    run: (statements) =>
      Promise.all(
        statements.map(({ text, values }) =>
          pool.query({ name: nameOf(text), text, values: [...values], rowMode: 'array' }),
        ),
      ),
    close: () => pool.end(),
  }
}

async function findActor(pool: pg.Pool, email: string): Promise<Actor> {
  const { rows } = await pool.query<Actor>(
    `select p.id as user_id, p.id as session_id, p.email, p.display_name, p.avatar_url, r.role, p.subscription_status,
            p.subscription_tier, p.subscription_ends_at, p.two_factor_enabled
       from profiles p join user_roles r on r.user_id = p.id where p.email = $1`,
    [email],
  )
  return rows[0]!
}
