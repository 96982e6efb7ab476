// Category operations for members.
import { sql, type RawBuilder } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import type { listCategories } from '#contract/categories.ts'
import type { Handle } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { coverUrl, isNotDeleted } from '../tracks/track-query.ts'

/** Lists the visible categories in the owner's order, with the number of their published tracks. */
export async function listVisibleCategories(
  ctx: MemberContext,
): Promise<Output<typeof listCategories>> {
  const data = await selectCategories(ctx.db, publishedTracks)
    .where('c.is_visible', '=', true)
    .orderBy('c.sort_order')
    .orderBy('c.display_name')
    .execute()
  return { data }
}

const publishedTracks = sql<boolean>`k.is_published`

/**
 * Starts a query over `category_metadata as c` that selects the contract's `category`. `counts` is a condition on
 * `track_categories as k`: the tracks that it matches are counted.
 */
export function selectCategories(
  handle: Handle,
  counts: RawBuilder<boolean> = isNotDeleted('k.track_id'),
) {
  return handle.query
    .selectFrom('category_metadata as c')
    .leftJoin('images as cover', 'cover.id', 'c.cover_id')
    .select([
      'c.id',
      'c.category',
      'c.display_name',
      'c.description',
      coverUrl('c.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      'c.is_visible',
      'c.sort_order',
      sql<number>`(select count(*) from track_categories k where k.category = c.category and ${counts})`.as(
        'track_count',
      ),
    ])
}
