// Reports the effect of early access: plays, and members who first paid during it.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/admin/insights.ts'
import type { EarlyAccessInsight } from '#contract/admin/insights.ts'
import { paginate } from '#contract/fields/pagination.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { figuresSource } from './figures-source.ts'
import { validateRange } from './insight-operations.ts'
import { firstPaymentsBetween } from './roll-up-money.ts'

/**
 * The start of early access: `early_access_days` calendar days before its end, in the item's time zone. Same rule as
 * `getEarlyAccess`.
 */
const earlyFrom = sql`(early_access_until at time zone coalesce(nullif(release_zone, ''), 'UTC')
  - make_interval(days => early_access_days)) at time zone coalesce(nullif(release_zone, ''), 'UTC')`

/**
 * Items that have or had early access: releases, tracks whose early access differs from their release's, and curated
 * playlists.
 */
const items = sql`(
  select 'release' as kind, r.id, r.title, r.artist, ${earlyFrom} as early_from, r.early_access_until as early_until
    from releases r
   where r.early_access_until is not null and r.early_access_days > 0 and r.deleted_at is null
  union all
  select 'track', t.id, t.title, t.artist, ${earlyFrom}, t.early_access_until
    from tracks t
   where t.early_access_until is not null and t.early_access_days > 0 and t.deleted_at is null
     and not exists (
       select from release_tracks e join releases r on r.id = e.release_id
        where e.track_id = t.id and r.deleted_at is null and r.early_access_until = t.early_access_until)
  union all
  select 'playlist', p.id, p.title, '', ${earlyFrom}, p.early_access_until
    from playlists p
   where p.early_access_until is not null and p.early_access_days > 0 and p.is_curated)`

/**
 * Lists items with their plays and first payments during early access. Counts them on each request, which is fast
 * enough: a page has few items, and early access lasts only days.
 */
export async function listEarlyAccess(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listEarlyAccess>,
): Promise<Output<typeof contract.listEarlyAccess>> {
  validateRange(query)
  const { accounts } = figuresSource(query.figures)
  const { rows } = await sql<EarlyAccessInsight & { total: number }>`
    with shown as (
      select i.*, count(*) over ()::int as total from ${items} i
       where i.early_until > (${query.start}::date)::timestamp at time zone 'utc'
         and i.early_from < (${query.end}::date + 1)::timestamp at time zone 'utc'
       order by i.early_from desc, i.id
       limit ${query.page_size} offset ${(query.page - 1) * query.page_size}
    )
    select early.*, heard.plays, heard.previews, heard.listeners, paid.new_members, paid.conversions
      from shown early
      cross join lateral (
        select array(select early.id where early.kind = 'track'
                     union all
                     select e.track_id from release_tracks e where early.kind = 'release' and e.release_id = early.id
                     union all
                     select e.track_id from playlist_tracks e where early.kind = 'playlist' and e.playlist_id = early.id) as ids
      ) own
      cross join lateral (
        select (count(*) filter (where not is_preview))::int as plays,
               (count(*) filter (where is_preview))::int as previews,
               (count(distinct user_id) filter (where not is_preview))::int as listeners
          from plays
         where track_id = any (own.ids) and ${accounts}
           and counted_at >= early.early_from and counted_at < early.early_until
      ) heard
      cross join lateral (
        select count(distinct f.payer)::int as new_members,
               (count(distinct f.payer) filter (where exists (
                 select from plays p
                  where p.user_id = f.user_id and p.track_id = any (own.ids) and p.is_preview
                    and p.started_at >= early.early_from and p.started_at <= f.paid_at)))::int as conversions
          from (select person_id as user_id, payer, paid_at
                  from (${firstPaymentsBetween(sql`early.early_from`, sql`early.early_until`)}) first) f
         where f.user_id is null or ${accounts}
      ) paid
     order by early.early_from desc, early.id`.execute(ctx.db.query)
  const total = rows[0]?.total ?? 0
  return { data: rows.map(({ total: _, ...row }) => row), pagination: paginate(query, total) }
}
