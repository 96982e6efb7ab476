// The audit trail for admins, as filtered pages and as a CSV file.
import { sql } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as contract from '#contract/admin/admin-audit.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { copyCsv, escapeCsvText } from '../../platform/db/copy-csv.ts'
import type { Database } from '../../platform/db/database.ts'
import { computePageWindow } from '../../platform/db/page-window.ts'
import { countAuditEntries } from '../../platform/db/row-counts.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { sendCsv } from '../../platform/http/csv-response.ts'
import { filterNames, writeExportAudit } from '../../platform/audit/write-audit.ts'
import { matchesActor, matchesEntity } from './audit-filters.ts'
import { entityKey, entityName, selectNamedEntries } from './named-entries.ts'

export async function listAuditLog(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listAuditLog>,
): Promise<Output<typeof contract.listAuditLog>> {
  const filtered = filterEntries(ctx.db, query)
  const total = await countEntries(ctx.db, query)
  const { limit, offset, direction } = computePageWindow(query, total, 'desc')
  const pageIds = filtered
    .select('l.id')
    .orderBy('l.created_at', direction)
    .orderBy('l.id', direction)
    .limit(limit)
    .offset(offset)
  const data = await selectNamedEntries(ctx.db)
    .select([
      'l.id',
      'l.actor_id',
      'a.email as actor_email',
      'a.display_name as actor_name',
      'l.action',
      'l.entity',
      'l.entity_id',
      entityName.as('entity_name'),
      entityKey.as('entity_key'),
      'l.token_name',
      'l.before',
      'l.after',
      'l.created_at',
    ])
    // Select the page's ids in a subquery, so that skipped entries are read from the index alone.
    .where('l.id', 'in', pageIds)
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .execute()
  return { data, pagination: paginate(query, total) }
}

async function countEntries(
  db: Database,
  filters: ParsedInput<typeof contract.exportAuditLog>['query'],
): Promise<number> {
  const { actor_id, entity_name, start_date, end_date } = filters
  if (!actor_id?.trim() && !entity_name?.trim() && !start_date && !end_date)
    return countAuditEntries(db, filters)
  const { total } = await filterEntries(db, filters)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function exportAuditLog(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.exportAuditLog>,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const rows = selectNamedEntries(ctx.db)
    .where(matchesFilters(query))
    .select([
      sql`to_char(l.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as(
        'timestamp',
      ),
      'l.actor_id',
      escapeCsvText(sql.ref('l.action')).as('action'),
      escapeCsvText(sql.ref('l.entity')).as('entity'),
      escapeCsvText(sql.ref('l.entity_id')).as('entity_id'),
      sql`l.before::text`.as('before'),
      sql`l.after::text`.as('after'),
      escapeCsvText(sql.ref('a.email')).as('actor_email'),
      escapeCsvText(sql.ref('a.display_name')).as('actor_name'),
      escapeCsvText(entityName).as('entity_name'),
    ])
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
  await writeExportAudit(ctx, 'audit_log', { filters: filterNames(query) })
  return sendCsv(reply, 'audit-log', ctx.now(), await copyCsv(ctx.db, rows.compile()))
}

type Filters = ParsedInput<typeof contract.exportAuditLog>['query']

function filterEntries(db: Database, filters: Filters) {
  return db.query.selectFrom('audit_log as l').where(matchesFilters(filters))
}

/** The condition on `audit_log as l` that combines all given filters. */
function matchesFilters(filters: Filters) {
  const { actor_id, action, entity, entity_name, start_date, end_date } = filters
  const conditions = [sql<boolean>`true`]
  if (actor_id?.trim()) conditions.push(matchesActor(actor_id))
  if (action) conditions.push(sql`l.action = ${action}`)
  if (entity) conditions.push(sql`l.entity = ${entity}`)
  if (entity_name?.trim()) conditions.push(matchesEntity(entity_name))
  if (start_date) conditions.push(sql`l.created_at >= ${start_date}::timestamptz`)
  if (end_date) conditions.push(endsBefore(end_date))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** A condition on the end of a period. A date includes the whole day; a timestamp is exact. */
function endsBefore(end: string) {
  return end.length === 10
    ? sql<boolean>`l.created_at < ${end}::date + interval '1 day'`
    : sql<boolean>`l.created_at <= ${end}::timestamptz`
}
