// Reports for each public page: shares, visits, previews, and the sign-ups and first payments that followed.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/insights.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { validateRange } from './insight-operations.ts'

type Row = contract.PageInsight & { total: number }

export async function listPageInsights(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listPageInsights>,
): Promise<Output<typeof contract.listPageInsights>> {
  validateRange(query)
  const { rows } = await sql<Row>`
    with summed as (
      select kind, item_id, sum(shares)::int as shares, sum(visits)::int as visits, sum(previews)::int as previews,
             sum(sign_ups)::int as sign_ups, sum(paid)::int as paid, count(*) over ()::int as total
        from page_days where day between ${query.start}::date and ${query.end}::date
       group by kind, item_id
       order by visits desc, shares desc, item_id
       limit ${query.page_size} offset ${(query.page - 1) * query.page_size}
    )
    select s.*, coalesce(t.title, r.title, a.name, p.title, c.display_name, 'Deleted') as title,
           coalesce(g.slug, r.slug, a.slug, c.category) as slug
      from summed s
      left join tracks t on s.kind = 'track' and t.id = s.item_id and t.deleted_at is null
      left join releases r on s.kind = 'release' and r.id = s.item_id and r.deleted_at is null
      left join artists a on s.kind = 'artist' and a.id = s.item_id
      left join playlists p on s.kind = 'playlist' and p.id = s.item_id
      left join category_metadata c on s.kind = 'category' and c.id = s.item_id
      left join page_slugs g on g.item_id = coalesce(t.id, p.id) and g.kind = s.kind and g.is_current
     order by s.visits desc, s.shares desc, s.item_id`.execute(ctx.db.query)
  const total = rows[0]?.total ?? 0
  const data = rows.map(({ total: _, ...page }) => page)
  return { data, pagination: paginate(query, total) }
}
