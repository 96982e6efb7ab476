// Lists audit entries for one person: changes to the person, or changes by the person.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-people.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { computePageWindow } from '../../platform/db/page-window.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { namedPerson } from './named-person.ts'
import { requirePerson } from './person-page.ts'

export async function listPersonAudit(
  ctx: MemberContext,
  { params, query }: ParsedInput<typeof contract.listPersonAudit>,
): Promise<Output<typeof contract.listPersonAudit>> {
  await requirePerson(ctx.db, params.id)
  // Repeat the condition of the partial index on entries about people; otherwise PostgreSQL does not use the index.
  const condition =
    query.side === 'by'
      ? sql<boolean>`a.actor_id = ${params.id}`
      : sql<boolean>`a.entity in ('user', 'subscription') and a.entity_id = ${params.id.toLowerCase()}`
  const { total } = await ctx.db.query
    .selectFrom('audit_log as a')
    .where(condition)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const { limit, offset, direction } = computePageWindow(query, total, 'desc')
  const pageIds = ctx.db.query
    .selectFrom('audit_log as a')
    .where(condition)
    .select('a.id')
    .orderBy('a.created_at', direction)
    .orderBy('a.id', direction)
    .limit(limit)
    .offset(offset)
  const data = await ctx.db.query
    .selectFrom('audit_log as a')
    .leftJoin('profiles as who', 'who.id', 'a.actor_id')
    .select([
      'a.id',
      namedPerson.as('actor'),
      'a.action',
      'a.entity',
      'a.entity_id',
      'a.before',
      'a.after',
      'a.created_at',
    ])
    .where('a.id', 'in', pageIds)
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .execute()
  return { data, pagination: paginate(query, total) }
}
