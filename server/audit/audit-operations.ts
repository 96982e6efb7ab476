// The audit trail as admins read it: filtered pages and the same as CSV.
import { sql } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { exportAuditLog, listAuditLog } from '#contract/admin-audit.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/pagination.ts'
import { copyCsv, csvText } from '../db/copy-csv.ts'
import type { Database } from '../db/database.ts'
import { pageWindow } from '../db/page-window.ts'
import { countAuditEntries } from '../db/row-counts.ts'
import type { MemberContext } from '../http/context.ts'
import { sendCsv } from '../http/csv-response.ts'

export async function listAuditEntries(
  ctx: MemberContext,
  { query }: ParsedInput<typeof listAuditLog>,
): Promise<Output<typeof listAuditLog>> {
  const filtered = filterEntries(ctx.db, query)
  const total = await countEntries(ctx.db, query)
  const { limit, offset, direction } = pageWindow(query, total, 'desc')
  const pageIds = filtered
    .select('id')
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
  const data = await ctx.db.query
    .selectFrom('audit_log')
    .select(['id', 'actor_id', 'action', 'entity', 'entity_id', 'before', 'after', 'created_at'])
    // Skipped entries are read from the index alone.
    .where('id', 'in', pageIds)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { data, pagination: paginate(query, total) }
}

async function countEntries(
  db: Database,
  filters: ParsedInput<typeof exportAuditLog>['query'],
): Promise<number> {
  const { actor_id, start_date, end_date } = filters
  if (!actor_id && !start_date && !end_date) return countAuditEntries(db, filters)
  const { total } = await filterEntries(db, filters)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function exportAuditEntries(
  ctx: MemberContext,
  { query }: ParsedInput<typeof exportAuditLog>,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const rows = filterEntries(ctx.db, query)
    .select([
      sql`to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as('timestamp'),
      'actor_id',
      csvText(sql.ref('action')).as('action'),
      csvText(sql.ref('entity')).as('entity'),
      csvText(sql.ref('entity_id')).as('entity_id'),
      sql`before::text`.as('before'),
      sql`after::text`.as('after'),
    ])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  return sendCsv(reply, 'audit-log', ctx.now(), await copyCsv(ctx.db, rows.compile()))
}

function filterEntries(db: Database, filters: ParsedInput<typeof exportAuditLog>['query']) {
  const { actor_id, action, entity, start_date, end_date } = filters
  return db.query
    .selectFrom('audit_log')
    .$if(actor_id !== undefined, (query) => query.where('actor_id', '=', actor_id ?? null))
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(entity !== undefined, (query) => query.where('entity', '=', entity ?? ''))
    .$if(start_date !== undefined, (query) =>
      query.where(sql<boolean>`created_at >= ${start_date}::timestamptz`),
    )
    .$if(end_date !== undefined, (query) => query.where(endsBefore(end_date ?? '')))
}

/** A day means to its end; a moment means that moment. */
function endsBefore(end: string) {
  return end.length === 10
    ? sql<boolean>`created_at < ${end}::date + interval '1 day'`
    : sql<boolean>`created_at <= ${end}::timestamptz`
}
