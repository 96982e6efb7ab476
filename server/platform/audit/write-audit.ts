// Writes audit entries in the same transaction as the change, so that a change and its entry are committed together.
import type { AuditAction, AuditEntity } from '#contract/audit-names.ts'
import { transaction, type Transaction } from '../db/database.ts'
import type { Actor, Context } from '../operations/context.ts'

/** Who performs an action, and the IP address of the request. */
export interface Acting {
  actor: Pick<Actor, 'user_id' | 'credential'> | null
  ip: string
}

export interface AuditEntry {
  action: AuditAction
  entity: AuditEntity
  entity_id?: string | null
  /** The values before and after the change, without secrets. */
  before?: unknown
  after?: unknown
}

const written = new WeakMap<Transaction, AuditEntry[]>()

/** The entries that a transaction has written so far. */
export function getWrittenEntries(trx: Transaction): readonly AuditEntry[] {
  return written.get(trx) ?? []
}

/** Records who exported what. Filters are listed by name only, because their values may be personal data. */
export async function writeExportAudit(
  ctx: Context,
  entity: AuditEntity,
  after: { filters: string[] } | { what: string; start: string; end: string },
): Promise<void> {
  await transaction(ctx.db, (trx) => writeAudit(ctx, trx, { action: 'export', entity, after }))
}

/** Names of the given filters. */
export function filterNames(query: Record<string, unknown>): string[] {
  return Object.keys(query).filter((name) => query[name] !== undefined)
}

/** Writes one entry for an action of `ctx.actor` in `trx`. */
export async function writeAudit(ctx: Acting, trx: Transaction, entry: AuditEntry): Promise<void> {
  await writeAuditEntries(ctx, trx, [entry])
}

/** Writes several entries, for a bulk change. */
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
        token_name: tokenName(ctx),
      })),
    )
    .execute()
  written.set(trx, [...getWrittenEntries(trx), ...entries])
}

function tokenName({ actor }: Acting): string | null {
  return actor?.credential?.kind === 'access_token' ? actor.credential.name : null
}
