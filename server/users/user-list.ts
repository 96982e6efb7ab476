// The admins' list of people and the same as CSV.
import { sql } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { exportUsers, listUsers } from '#contract/admin-users.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/pagination.ts'
import { copyCsv, csvText } from '../db/copy-csv.ts'
import type { MemberContext } from '../http/context.ts'
import { sendCsv } from '../http/csv-response.ts'
import { matchesUserFilters, peopleQuery, userQuery } from './user-query.ts'

export async function listUsersForAdmin(
  ctx: MemberContext,
  { query }: ParsedInput<typeof listUsers>,
): Promise<Output<typeof listUsers>> {
  const matches = matchesUserFilters(query)
  const [data, { total }] = await Promise.all([
    userQuery(ctx.db)
      .where(matches)
      .orderBy('p.created_at', 'desc')
      .orderBy('p.id', 'desc')
      .limit(query.page_size)
      .offset((query.page - 1) * query.page_size)
      .execute(),
    peopleQuery(ctx.db)
      .where(matches)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { data, pagination: paginate(query, total) }
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
