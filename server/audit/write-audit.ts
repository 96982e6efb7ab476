// The audit trail. Written in the transaction of the change itself, so that there is never one
// without the other.
import type { AuditAction, AuditEntity } from '#contract/audit-names.ts'
import { transaction, type Transaction } from '../db/database.ts'
import type { Actor, Context } from '../http/context.ts'

/** Who acts, and from where. */
export interface Acting {
  actor: Pick<Actor, 'user_id'> | null
  ip: string
}

export interface AuditEntry {
  action: AuditAction
  entity: AuditEntity
  entity_id?: string | null
  /** What changed, without secrets. */
  before?: unknown
  after?: unknown
}

const written = new WeakMap<Transaction, AuditEntry[]>()

/** The entries that a transaction has added so far. */
export function writtenEntries(trx: Transaction): readonly AuditEntry[] {
  return written.get(trx) ?? []
}

/** Who took a copy of what. The filters are named without their words, which may be an address. */
export async function writeExportAudit(
  ctx: Context,
  entity: AuditEntity,
  after: { filters: string[] } | { what: string; start: string; end: string },
): Promise<void> {
  await transaction(ctx.db, (trx) => writeAudit(ctx, trx, { action: 'export', entity, after }))
}

/** Names of the filters that are set. */
export function filterNames(query: Record<string, unknown>): string[] {
  return Object.keys(query).filter((name) => query[name] !== undefined)
}

/** Adds one entry for what the actor of `ctx` does in `trx`. */
export async function writeAudit(ctx: Acting, trx: Transaction, entry: AuditEntry): Promise<void> {
  await writeAuditEntries(ctx, trx, [entry])
}

/** The same for a change of many things at once. */
export async function writeAuditEntries(
  ctx: Acting,
  trx: Transaction,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await trx.query
    .insertInto('audit_log')
    .values(
      entries.map((entry) => ({
        actor_id: ctx.actor?.user_id ?? null,
        action: entry.action,
        entity: entry.entity,
        entity_id: entry.entity_id ?? null,
        before: entry.before === undefined ? null : JSON.stringify(entry.before),
        after: entry.after === undefined ? null : JSON.stringify(entry.after),
        ip_address: ctx.ip,
      })),
    )
    .execute()
  written.set(trx, [...writtenEntries(trx), ...entries])
}
