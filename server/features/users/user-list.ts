// Lists people for admins, as pages and as CSV.
import { filterNames, writeExportAudit } from '../../platform/audit/write-audit.ts'
import { sql } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as contract from '#contract/admin/admin-users.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { copyCsv, escapeCsvText } from '../../platform/db/copy-csv.ts'
import type { Database } from '../../platform/db/database.ts'
import { countPeople } from '../../platform/db/row-counts.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { sendCsv } from '../../platform/http/csv-response.ts'
import {
  countSelected,
  sortByIds,
  readPageOfPeople,
  selectPeople,
  type UserFilters,
} from '../people/people-selection.ts'
import { selectPeopleWithRoles, selectUsers } from './user-query.ts'

export async function listUsers(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listUsers>,
): Promise<Output<typeof contract.listUsers>> {
  const total = await countUsers(ctx.db, query)
  const ids = await readPageOfPeople(ctx.db, query, query, total)
  const data = ids.length === 0 ? [] : await selectUsers(ctx.db).where('p.id', 'in', ids).execute()
  return { data: sortByIds(data, ids, ({ id }) => id), pagination: paginate(query, total) }
}

/**
 * Counts the people who match the filters. Without filters, reads counters that triggers update. Almost all people are
 * members, so members are counted as the total minus the other roles.
 */
async function countUsers(db: Database, filters: UserFilters): Promise<number> {
  const { role, subscription_status, q, subscription_tier, joined_from, joined_to } = filters
  const isPlain =
    !q?.trim() && !subscription_tier && !joined_from && !joined_to && !filters.deletion_requested
  if (isPlain && !role) return countPeople(db, subscription_status)
  if (isPlain && !subscription_status && role === 'member') {
    const [all, notMembers] = await Promise.all([countPeople(db), countNotMembers(db)])
    return all - notMembers
  }
  return countSelected(db, filters)
}

async function countNotMembers(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select user_id from user_roles where role <> 'member'
      union
      select id from profiles where banned_at is not null
    ) others`.execute(db.query)
  return rows[0]!.count
}

export async function exportUsers(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.exportUsers>,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const rows = selectPeopleWithRoles(ctx.db)
    .where(sql<boolean>`p.id in (select p.id ${selectPeople(query)})`)
    .select([
      'p.id',
      escapeCsvText(sql.ref('p.email')).as('email'),
      escapeCsvText(sql.ref('p.display_name')).as('display_name'),
      sql`case when p.banned_at is not null then 'banned' else r.role end`.as('role'),
      'p.subscription_tier',
      'p.subscription_status',
      sql`to_char(p.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as(
        'created_at',
      ),
    ])
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
  await writeExportAudit(ctx, 'user', { filters: filterNames(query) })
  return sendCsv(reply, 'users-export', ctx.now(), await copyCsv(ctx.db, rows.compile()))
}
