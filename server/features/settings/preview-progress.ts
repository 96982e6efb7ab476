// Progress of the jobs that create previews again after the preview length has changed.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-settings.ts'
import type { Output } from '#contract/endpoint.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

/** Returns the number of all previews, and the number of those created with another length. */
export async function getPreviewProgress(
  ctx: MemberContext,
): Promise<Output<typeof contract.getPreviewProgress>> {
  return ctx.db.query
    .selectFrom('renditions as r')
    .innerJoin('settings as s', (join) => join.on('s.id', '=', 1))
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(*) filter (where r.preview_length_seconds != s.preview_length_seconds)`.as(
        'stale',
      ),
    ])
    .where('r.kind', '=', 'preview')
    .executeTakeFirstOrThrow()
}
