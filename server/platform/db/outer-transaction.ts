// Runs a whole operation in one transaction. The operation's own transactions become savepoints, so that its changes
// are committed together with a record of the operation.
import { sql, type ControlledTransaction } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

export interface OuterTransaction {
  readonly query: ControlledTransaction<Tables>
  /** Hooks to run after the commit, collected from the inner transactions. */
  readonly hooks: (() => unknown)[]
  /** The number of savepoints created so far. Each savepoint needs a unique name. */
  savepoints: number
}

/**
 * Runs `work` with a handle whose queries and transactions all belong to one transaction. If `work` throws, changes
 * outside its own transactions are still committed, as they would be without the outer transaction.
 */
export async function runInOuterTransaction<T>(
  db: Database,
  work: (inner: Database) => Promise<T>,
): Promise<{ result: T; hooks: (() => unknown)[] }> {
  const query = await db.query.withoutPlugins().startTransaction().execute()
  const outer: OuterTransaction = { query, hooks: [], savepoints: 0 }
  try {
    const result = await work({ ...db, query, outer })
    await query.commit().execute()
    return { result, hooks: outer.hooks }
  } catch (error) {
    await endAfterError(db, query)
    throw error
  }
}

/**
 * Only a rollback reliably returns the connection to the pool. If the rollback fails, the connection is discarded,
 * which also rolls back.
 */
async function endAfterError(
  db: Pick<Database, 'log'>,
  query: ControlledTransaction<Tables>,
): Promise<void> {
  const warn = (err: unknown) => db.log.warn({ err }, 'An outer transaction was lost')
  if (!query.isCommitted && !query.isRolledBack) await query.commit().execute().catch(warn)
  if (!query.isCommitted && !query.isRolledBack) await query.rollback().execute().catch(warn)
}

/** Creates a savepoint and runs `work`. Rolls back to the savepoint if `work` throws. */
export async function runAtSavepoint<T>(
  outer: OuterTransaction,
  work: () => Promise<T>,
): Promise<T> {
  const name = sql.id(`inner_${++outer.savepoints}`)
  await sql`savepoint ${name}`.execute(outer.query)
  try {
    const result = await work()
    await sql`release savepoint ${name}`.execute(outer.query)
    return result
  } catch (error) {
    await sql`rollback to savepoint ${name}`.execute(outer.query)
    throw error
  }
}
