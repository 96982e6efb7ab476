// Categories as members see them.
import { sql } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import type { listCategories } from '#contract/categories.ts'
import type { MemberContext } from '../http/context.ts'
import { coverUrl } from '../tracks/track-query.ts'

/** Visible categories in the owner's order, with their published tracks counted. */
export async function listVisibleCategories(
  ctx: MemberContext,
): Promise<Output<typeof listCategories>> {
  const data = await ctx.db.query
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
      sql<number>`(select count(*) from tracks t where t.category = c.category and t.is_published)`.as(
        'track_count',
      ),
    ])
    .where('c.is_visible', '=', true)
    .orderBy('c.sort_order')
    .orderBy('c.display_name')
    .execute()
  return { data }
}
