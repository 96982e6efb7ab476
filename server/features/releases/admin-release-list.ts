// Lists releases for admins: filtered, sorted and split into numbered pages.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-releases.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { computePageWindow } from '../../platform/db/page-window.ts'
import { matchesFolded } from '../../platform/db/search-pattern.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { selectAvailability } from '../availability/availability.ts'
import { visibleToStaff } from '../ownership/owned-by.ts'
import { selectAdminReleases } from './release-query.ts'

export async function listAdminReleases(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listAdminReleases>,
): Promise<Output<typeof contract.listAdminReleases>> {
  const filtered = ctx.db.query
    .selectFrom('releases as r')
    .where('r.deleted_at', 'is', null)
    .where(visibleToStaff(ctx.actor, 'r.owner_id'))
    .$if(Boolean(query.q?.trim()), (releases) =>
      releases.where(matchesFolded('r.search_folded', query.q ?? '')),
    )
    .$if(query.kind !== undefined, (releases) =>
      releases.where('r.kind', '=', query.kind ?? 'album'),
    )
    .$if(query.published !== undefined, (releases) =>
      releases.where('r.is_published', '=', query.published === 'true'),
    )
    .$if(query.availability !== undefined, (releases) =>
      releases.where(sql<boolean>`${selectAvailability('r')} = ${query.availability}`),
    )
  const { total } = await filtered
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const column = query.sort === 'release_date' ? 'r.released_on' : (`r.${query.sort}` as const)
  const { limit, offset, direction } = computePageWindow(query, total, query.direction)
  const pageIds = filtered
    .select('r.id')
    .orderBy(column, direction)
    .orderBy('r.id', direction)
    .limit(limit)
    .offset(offset)
  const data = await selectAdminReleases(ctx.db)
    .where('r.id', 'in', pageIds)
    .orderBy(column, query.direction)
    .orderBy('r.id', query.direction)
    .execute()
  return { data, pagination: paginate(query, total) }
}
