// The database handle of an admin operation. Its changes are committed only together with the audit entries that its
// contract declares.
import type { KyselyPlugin, QueryId, RootOperationNode } from 'kysely'
import type { Audit, Endpoint } from '#contract/endpoint.ts'
import type { Database, TransactionWatch } from '../db/database.ts'
import { getWrittenEntries, type AuditEntry } from './write-audit.ts'

type Declared = Pick<Endpoint, 'method' | 'path' | 'audit'>

/** Thrown for a bug in our code. The request fails, nothing is committed, and the log names the operation. */
class AuditError extends Error {
  override readonly name = 'AuditError'

  constructor({ method, path }: Declared, problem: string) {
    super(`${method} ${path}: ${problem}`)
  }
}

const plainHandles = new WeakMap<Database, Database>()

/**
 * Returns a handle that checks audit entries in each transaction. Refuses changes outside a transaction, because no
 * entry could be committed with them.
 */
export function createAuditedDatabase(db: Database, operation: Declared): Database {
  const audit = operation.audit ?? 'reads'
  if (isUnaudited(audit)) return db
  const refuseWrites: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (isWrite(db, node, queryId)) {
        throw new AuditError(operation, 'changes must be made in a transaction')
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const audited: Database = {
    ...db,
    query: db.query.withPlugin(refuseWrites),
    watchTransaction: () => watchTransaction(db, operation, audit),
  }
  plainHandles.set(audited, db)
  return audited
}

type Hooks = Required<Pick<TransactionWatch, 'afterBegin'>> & Pick<TransactionWatch, 'beforeCommit'>

const untouched: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => result,
}

/**
 * Returns a handle that runs these hooks in each of its transactions, in addition to existing hooks. They run after
 * all other work, just before the commit.
 */
export function addTransactionHooks(db: Database, hooks: Hooks): Database {
  const watched: Database = {
    ...db,
    watchTransaction() {
      const watch = db.watchTransaction?.()
      return {
        plugin: watch?.plugin ?? untouched,
        async afterBegin(trx) {
          await watch?.afterBegin?.(trx)
          await hooks.afterBegin(trx)
        },
        async beforeCommit(trx) {
          await watch?.beforeCommit(trx)
          await hooks.beforeCommit(trx)
        },
      }
    },
  }
  plainHandles.set(watched, withoutAudit(db))
  return watched
}

/**
 * Returns a handle without the check, for changes that no admin made, such as the cleanup of unused files or
 * rate-limit counters.
 */
export function withoutAudit(db: Database): Database {
  return plainHandles.get(db) ?? db
}

function isUnaudited(audit: Audit): audit is { unaudited: string } {
  return typeof audit === 'object' && 'unaudited' in audit
}

function watchTransaction(
  db: Database,
  operation: Declared,
  audit: Exclude<Audit, { unaudited: string }>,
): TransactionWatch {
  const writes = new WeakSet<QueryId>()
  let hasChanges = false
  return {
    plugin: {
      transformQuery({ node, queryId }) {
        if (isWrite(db, node, queryId)) writes.add(queryId)
        return node
      },
      async transformResult({ result, queryId }) {
        // For a select with changes in a `with` clause, the number of changed rows is unknown, so assume that it
        // changed some.
        if (writes.has(queryId) && (result.numAffectedRows ?? 1n) > 0n) hasChanges = true
        return result
      },
    },
    beforeCommit(trx) {
      const entries = getWrittenEntries(trx)
      const undeclared = entries.find((entry) => !isDeclared(audit, entry))
      if (undeclared) {
        const { action, entity } = undeclared
        throw new AuditError(operation, `the audit entry "${action} ${entity}" is not declared`)
      }
      if (hasChanges && entries.length === 0) {
        throw new AuditError(operation, 'changes would be committed without an audit entry')
      }
    },
  }
}

function isDeclared(audit: Exclude<Audit, { unaudited: string }>, entry: AuditEntry): boolean {
  return audit !== 'reads' && (audit[entry.entity]?.includes(entry.action) ?? false)
}

const changingKinds = new Set([
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
  'MergeQueryNode',
])
const changingKeywords =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate)\b|(?<!\b(?:for|key)\s+)\bupdate\b/i

/** Raw SQL, and changes inside a `with` clause, can only be recognized by their text. */
function isWrite(db: Database, node: RootOperationNode, queryId: QueryId): boolean {
  if (changingKinds.has(node.kind)) return true
  if (node.kind === 'SelectQueryNode' && !node.with) return false
  return changingKeywords.test(db.query.getExecutor().compileQuery(node, queryId).sql)
}
