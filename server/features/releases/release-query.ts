// The SELECTs for releases. Callers add conditions and order.
import { sql } from 'kysely'
import type { ReleaseArtist } from '#contract/releases.ts'
import type { Handle } from '../../platform/db/database.ts'
import { isForEveryone, selectPremiumMarks } from '../availability/availability.ts'
import { formatTimestamp } from '../../platform/db/json-rows.ts'

/** Whether members can see the release `r`: it is published (not just scheduled) and has a published track. */
export const isVisibleRelease = sql<boolean>`(r.is_published and exists (
  select from release_tracks e join tracks t on t.id = e.track_id
   where e.release_id = r.id and t.is_published))`

/** Whether the release `r` has a public page. The page shows the public tracks and the number of the others. */
export const isReleaseForEveryone = sql<boolean>`(${isForEveryone('r')} and ${isVisibleRelease})`

/** Starts a query over `releases as r` that selects the columns that both members and admins receive in lists. */
function selectReleaseColumns(handle: Handle, { publishedOnly }: { publishedOnly: boolean }) {
  return handle.query
    .selectFrom('releases as r')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('release_tracks as e')
          .innerJoin('tracks as t', 't.id', 'e.track_id')
          .select([
            sql<number>`count(*)::int`.as('track_count'),
            sql<number>`(count(*) filter (where t.is_published))::int`.as('published_count'),
            sql<number>`coalesce(sum(t.duration), 0)::int`.as('duration'),
            sql<number | null>`max(t.true_peak_dbtp)`.as('true_peak_dbtp'),
            sql<string | null>`(array_agg(t.cover_id order by e.disc, e.position)
              filter (where t.cover_id is not null))[1]`.as('cover_id'),
          ])
          .whereRef('e.release_id', '=', 'r.id')
          .where('t.deleted_at', 'is', null)
          .$if(publishedOnly, (tracks) => tracks.where('t.is_published', '=', true))
          .as('summary'),
      (join) => join.onTrue(),
    )
    .leftJoin('images as cover', (join) =>
      join.on(sql<boolean>`cover.id = coalesce(r.cover_id, summary.cover_id)`),
    )
    .select([
      'r.id',
      'r.kind',
      'r.title',
      'r.slug',
      sql<string>`case when ${isReleaseForEveryone} then '/r/' else '/releases/' end || r.slug`.as(
        'share_url',
      ),
      'r.artist',
      sql<ReleaseArtist[]>`coalesce((
        select json_agg(json_build_object('id', a.id, 'name', a.name, 'slug', a.slug, 'joiner', c.joiner)
                        order by c.position)
          from release_credits c join artists a on a.id = c.artist_id
         where c.release_id = r.id), '[]')`.as('artists'),
      sql<string | null>`'/media/covers/' || cover.id || '/384.webp'`.as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      'r.release_date',
      'summary.track_count',
      'summary.duration',
      ...selectPremiumMarks('r'),
      formatTimestamp('r.created_at').as('created_at'),
    ])
    .where('r.deleted_at', 'is', null)
}

/**
 * Starts a query for the contract's `release`: published releases with a published track, and whether one member likes
 * each.
 */
export function selectReleases(handle: Handle, actorUserId: string) {
  return selectReleaseColumns(handle, { publishedOnly: true })
    .select(
      sql<boolean>`exists (select from release_likes l
        where l.release_id = r.id and l.user_id = ${actorUserId})`.as('is_liked'),
    )
    .where('r.is_published', '=', true)
    .where('summary.track_count', '>', 0)
}

/** Starts a query for the contract's `adminRelease`, with all tracks that are not deleted. */
export function selectAdminReleases(handle: Handle) {
  return selectReleaseColumns(handle, { publishedOnly: false }).select([
    'r.label',
    'r.upc',
    'r.is_published',
    'r.release_at',
    'r.release_zone',
    'r.early_access_days',
    'r.audience',
    'summary.published_count',
    formatTimestamp('r.updated_at').as('updated_at'),
    'r.version',
  ])
}
