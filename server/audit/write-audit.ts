// The audit trail. Written in the transaction of the change itself, so that there is never one
// without the other.
import type { AuditAction, AuditEntity } from '#contract/admin-audit.ts'
import type { Transaction } from '../db/database.ts'
import type { Context } from '../http/context.ts'

export interface AuditEntry {
  action: AuditAction
  entity: AuditEntity
  entity_id?: string | null
  /** What changed, without secrets. */
  before?: unknown
  after?: unknown
}

/** Adds one entry for what the actor of `ctx` does in `trx`. */
export async function writeAudit(
  ctx: Pick<Context, 'actor' | 'ip'>,
  trx: Transaction,
  entry: AuditEntry,
): Promise<void> {
  await trx.query
    .insertInto('audit_log')
    .values({
      actor_id: ctx.actor?.user_id ?? null,
      action: entry.action,
      entity: entry.entity,
      entity_id: entry.entity_id ?? null,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
      ip_address: ctx.ip,
    })
    .execute()
}
