// Lists tracks for admins: filtered, sorted and split into numbered pages.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-tracks.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { visibleToStaff } from '../ownership/owned-by.ts'
import { selectAvailability } from '../availability/availability.ts'
import { computePageWindow } from '../../platform/db/page-window.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { selectAdminTracks, isDamaged } from './admin-track-query.ts'
import { isInCategory, isNotDeleted, matchesSearch } from './track-query.ts'

export async function listAdminTracks(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listAdminTracks>,
): Promise<Output<typeof contract.listAdminTracks>> {
  const filtered = ctx.db.query
    .selectFrom('tracks as t')
    .where(isNotDeleted('t.id'))
    .where(visibleToStaff(ctx.actor, 't.owner_id'))
    .$if(Boolean(query.q?.trim()), (tracks) => tracks.where(matchesSearch(query.q ?? '')))
    .$if(query.category !== undefined, (tracks) => tracks.where(isInCategory(query.category ?? '')))
    .$if(query.not_category !== undefined, (tracks) =>
      tracks.where(sql<boolean>`coalesce(not ${isInCategory(query.not_category ?? '')}, true)`),
    )
    .$if(query.genre !== undefined, (tracks) => tracks.where('t.genre', '=', query.genre ?? null))
    .$if(query.artist !== undefined, (tracks) =>
      tracks.where(
        sql<boolean>`t.id in (select track_id from track_credits where artist_id = ${query.artist})`,
      ),
    )
    .$if(query.published !== undefined, (tracks) =>
      tracks.where('t.is_published', '=', query.published === 'true'),
    )
    .$if(query.availability !== undefined, (tracks) =>
      tracks.where(sql<boolean>`${selectAvailability('t')} = ${query.availability}`),
    )
    .$if(query.processing_status !== undefined, (tracks) =>
      tracks.where('t.processing_status', '=', query.processing_status ?? 'ready'),
    )
    .$if(query.damaged !== undefined, (tracks) =>
      tracks.where(sql<boolean>`coalesce(${isDamaged}, false) = ${query.damaged === 'true'}`),
    )
  const { total } = await filtered
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const { limit, offset, direction } = computePageWindow(query, total, query.direction)
  const pageIds = filtered
    .select('t.id')
    .orderBy(`t.${query.sort}`, direction)
    .orderBy('t.id', direction)
    .limit(limit)
    .offset(offset)
  const data = await selectAdminTracks(ctx.db)
    // Select the page's ids in a subquery, so that skipped rows are read from the index alone.
    .where('t.id', 'in', pageIds)
    .orderBy(`t.${query.sort}`, query.direction)
    .orderBy('t.id', query.direction)
    .execute()
  return {
    data,
    pagination: paginate(query, total),
  }
}
