// The database handle. A function that only reads takes a `Database` or `Transaction` (`Handle`). A function whose
// steps must be atomic takes a `Transaction`. Only transaction() creates one, and it is unusable after its end.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlledTransaction, Kysely, type KyselyPlugin, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnTypes } from './column-types.ts'
import { buildConnectionConfig } from './connection-config.ts'
import { isRetryable } from './database-error.ts'
import { runAtSavepoint, type OuterTransaction } from './outer-transaction.ts'
import type { Purpose } from '../config/database-hosts.ts'
import type { Log } from '../process/log.ts'
import type { Tables } from './tables.ts'

export interface Database {
  /** Runs each query separately, on any connection of the pool. */
  readonly query: Kysely<Tables>
  readonly pool: pg.Pool
  readonly log: Log
  /** Called for each transaction that begins on this handle. Returns the hooks of that transaction. */
  readonly watchTransaction?: () => TransactionWatch
  /** If set, all queries on this handle belong to this transaction. */
  readonly outer?: OuterTransaction
  close(): Promise<void>
}

/** Observes the queries of one transaction. */
export interface TransactionWatch {
  readonly plugin: KyselyPlugin
  afterBegin?(trx: Transaction): Promise<void>
  /** Called before the commit. If it throws, the transaction is rolled back. */
  beforeCommit(trx: Transaction): void | Promise<void>
}

declare const madeByTransaction: unique symbol

export interface Transaction {
  /** Queries inside the transaction. */
  readonly query: Kysely<Tables>
  /** Calls `hook` after the commit, in the order of registration. Hooks are not called after a rollback. */
  afterCommit(hook: () => unknown): void
  readonly [madeByTransaction]: true
}

export type Handle = Database | Transaction

const statementTimeoutMs = 30_000
const idleInTransactionTimeoutMs = 60_000
/** Longer than statement_timeout, so it only fires on half-open connections. */
const silenceTimeoutMs = statementTimeoutMs + 5_000
const attempts = 5
/**
 * Timeouts for a standby. When it does not respond, reads fall back to the primary. Connections are renewed often, so
 * that they leave a standby that was promoted.
 */
const readingSilenceMs = 3_000
const readingLimits = { maxLifetimeSeconds: 15 }

export function createDatabase(options: {
  connectionString: string
  maxConnections: number
  log: Log
  purpose?: Purpose
  /** In milliseconds. */
  silenceTimeoutMs?: number
}): Database {
  const { log } = options
  const ownSilenceMs = options.purpose === 'reading' ? readingSilenceMs : silenceTimeoutMs
  const pool = new pg.Pool({
    ...buildConnectionConfig(options.connectionString, options.purpose),
    ...(options.purpose === 'reading' && readingLimits),
    max: options.maxConnections,
    types: columnTypes,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    connectionTimeoutMillis: 10_000,
    // An idle connection costs the database 5 MB. The alert checks run several queries concurrently every minute.
    idleTimeoutMillis: 20_000,
    keepAlive: true,
  })
  // An idle connection that breaks is reported only through this event; without a handler it would end the process.
  // pool.end() may resolve before the connections are closed, and PostgreSQL may then close them first.
  let isClosing = false
  const warn = (error: Error, message: string) => {
    if (!isClosing) log.warn({ err: error }, message)
  }
  pool.on('error', (error) => warn(error, 'An idle database connection was lost'))
  pool.on('connect', (client) => {
    client.on('error', (error) => warn(error, 'A database connection was lost'))
    closeOnQueryTimeout(client, options.silenceTimeoutMs ?? ownSilenceMs)
  })
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const close = () => {
    isClosing = true
    return query.destroy()
  }
  return { query, pool, log, close }
}

/**
 * Closes the connection when a query gets no response. The driver's own timeout would return the lost connection to
 * the pool, where the next query would wait for it. It would also interrupt long exports. Exports return a stream
 * instead of a promise, so this timeout does not apply to them.
 */
function closeOnQueryTimeout(client: pg.PoolClient, timeoutMs: number): void {
  const sendQuery = client.query.bind(client) as (...given: unknown[]) => unknown
  const watched = (...given: unknown[]) => {
    const response = sendQuery(...given)
    if (response instanceof Promise) {
      const timer = setTimeout(() => void (client as unknown as pg.Client).end(), timeoutMs)
      const stop = () => clearTimeout(timer)
      response.then(stop, stop)
    }
    return response
  }
  client.query = watched as typeof client.query
}

/**
 * Runs `work` in one transaction and commits it, or rolls it back if `work` throws. After a deadlock or serialization
 * failure, runs `work` again. So `work` must have no effects outside the database: put them into `afterCommit`.
 */
export async function transaction<T>(
  db: Database,
  work: (trx: Transaction) => Promise<T>,
  options: { isolation?: 'read committed' | 'repeatable read' | 'serializable' } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (db.outer) return await runInside(db, db.outer, work, options.isolation)
      const { result, hooks } = await runOnce(db, work, options.isolation ?? 'read committed')
      await runHooks(db, hooks)
      return result
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
      // Random delays, so that the same transactions do not conflict again.
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/**
 * Runs a transaction inside an outer transaction. A deadlock rolls back only to its savepoint, so it can be retried
 * as well.
 */
async function runInside<T>(
  db: Database,
  outer: OuterTransaction,
  work: (trx: Transaction) => Promise<T>,
  isolation: string = 'read committed',
): Promise<T> {
  if (isolation !== 'read committed') throw new Error(`No ${isolation} in an outer transaction`)
  const { query } = outer
  const hooks: (() => unknown)[] = []
  const watch = db.watchTransaction?.()
  const trx = makeTransaction(watch ? query.withPlugin(watch.plugin) : query, hooks)
  const result = await runAtSavepoint(outer, async () => {
    await watch?.afterBegin?.(trx)
    const value = await work(trx)
    await watch?.beforeCommit(trx)
    return value
  })
  outer.hooks.push(...hooks)
  return result
}

async function runOnce<T>(
  db: Database,
  work: (trx: Transaction) => Promise<T>,
  isolation: 'read committed' | 'repeatable read' | 'serializable',
) {
  const query = await db.query
    .withoutPlugins()
    .startTransaction()
    .setIsolationLevel(isolation)
    .execute()
  const hooks: (() => unknown)[] = []
  const watch = db.watchTransaction?.()
  const trx = makeTransaction(watch ? query.withPlugin(watch.plugin) : query, hooks)
  try {
    await watch?.afterBegin?.(trx)
    const result = await work(trx)
    await watch?.beforeCommit(trx)
    await query.commit().execute()
    return { result, hooks }
  } catch (error) {
    // If the rollback fails, the connection is discarded, which also rolls back. Throw the first error, because it is
    // the cause.
    if (!query.isCommitted && !query.isRolledBack) {
      await query
        .rollback()
        .execute()
        .catch((err: unknown) => db.log.warn({ err }, 'Rollback failed'))
    }
    throw error
  }
}

function makeTransaction(
  query: ControlledTransaction<Tables>,
  hooks: (() => unknown)[],
): Transaction {
  const refuseAfterEnd = () => {
    if (query.isCommitted || query.isRolledBack) throw new Error('This transaction has ended')
  }
  const trx: Omit<Transaction, typeof madeByTransaction> = {
    get query() {
      refuseAfterEnd()
      return query
    },
    afterCommit(hook) {
      refuseAfterEnd()
      hooks.push(hook)
    },
  }
  return trx as Transaction
}

/** The transaction is already committed, so a failing hook is only logged and the other hooks run. */
export async function runHooks(db: Pick<Database, 'log'>, hooks: (() => unknown)[]): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook()
    } catch (error) {
      db.log.error({ err: error }, 'A step after a committed transaction failed')
    }
  }
}
