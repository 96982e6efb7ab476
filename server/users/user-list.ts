// The admins' list of people and the same as CSV.
import { sql } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { exportUsers, listUsers } from '#contract/admin-users.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/pagination.ts'
import { copyCsv, csvText } from '../db/copy-csv.ts'
import type { Database } from '../db/database.ts'
import { pageWindow } from '../db/page-window.ts'
import { countPeople } from '../db/row-counts.ts'
import type { MemberContext } from '../http/context.ts'
import { sendCsv } from '../http/csv-response.ts'
import { matchesUserFilters, peopleQuery, userQuery } from './user-query.ts'

export async function listUsersForAdmin(
  ctx: MemberContext,
  { query }: ParsedInput<typeof listUsers>,
): Promise<Output<typeof listUsers>> {
  const total = await countUsers(ctx.db, query)
  const { limit, offset, direction } = pageWindow(query, total, 'desc')
  const pageIds = (query.role ? peopleQuery(ctx.db) : ctx.db.query.selectFrom('profiles as p'))
    .where(matchesUserFilters(query))
    .select('p.id')
    .orderBy('p.created_at', direction)
    .orderBy('p.id', direction)
    .limit(limit)
    .offset(offset)
  const data = await userQuery(ctx.db)
    // Skipped rows are read from the index alone: whose they are matters only for the page.
    .where('p.id', 'in', pageIds)
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .execute()
  return { data, pagination: paginate(query, total) }
}

/** Most lists are counted already; members, who are nearly everybody, by those who are not. */
async function countUsers(
  db: Database,
  query: ParsedInput<typeof exportUsers>['query'],
): Promise<number> {
  const { q, role, subscription_status, deletion_requested } = query
  const others = Boolean(q?.trim()) || deletion_requested
  if (!others && !role) return countPeople(db, subscription_status)
  if (!others && !subscription_status && role === 'member') {
    const [all, notMembers] = await Promise.all([countPeople(db), countNotMembers(db)])
    return all - notMembers
  }
  const { total } = await (role ? peopleQuery(db) : db.query.selectFrom('profiles as p'))
    .where(matchesUserFilters(query))
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
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

export async function exportUsersAsCsv(
  ctx: MemberContext,
  { query }: ParsedInput<typeof exportUsers>,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const rows = peopleQuery(ctx.db)
    .where(matchesUserFilters(query))
    .select([
      'p.id',
      csvText(sql.ref('p.email')).as('email'),
      csvText(sql.ref('p.display_name')).as('display_name'),
      sql`case when p.banned_at is not null then 'banned' else r.role end`.as('role'),
      'p.subscription_tier',
      'p.subscription_status',
      sql`to_char(p.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as(
        'created_at',
      ),
    ])
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
  return sendCsv(reply, 'users-export', ctx.now(), await copyCsv(ctx.db, rows.compile()))
}
