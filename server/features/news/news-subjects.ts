// Reads the titles and links of news items (published tracks and releases), for emails and notifications.
import { sql } from 'kysely'
import { releaseKindLabels, type ReleaseKind } from '#contract/fields/release-fields.ts'
import type { Handle } from '../../platform/db/database.ts'
import { isForEveryone, isOpenTo } from '../availability/availability.ts'
import { isReleaseForEveryone, isVisibleRelease } from '../releases/release-query.ts'
import { trackSlug } from '../tracks/track-query.ts'

export interface NewsSubject {
  item_id: string
  title: string
  artist: string
  kind: ReleaseKind | 'track'
  /** The path of the public page, or of the page in the app if there is no public page. */
  path: string
  /** The path of the page in the app. */
  app_path: string
  cover_id: string | null
  /** Whether the recipient may play the track or release now. */
  is_open: boolean
}

/** Reads the items, newest first. `isPremium` is true if the recipient has Premium. */
export async function readSubjects(
  handle: Handle,
  itemIds: readonly string[],
  isPremium: boolean,
): Promise<NewsSubject[]> {
  const premium = sql<boolean>`${isPremium}::boolean`
  const { rows } = await sql<NewsSubject>`
    select i.id as item_id, coalesce(r.title, t.title) as title, coalesce(r.artist, t.artist) as artist,
           coalesce(r.kind, 'track') as kind,
           case when i.release_id is not null then
             case when ${isReleaseForEveryone} then '/r/' else '/releases/' end || r.slug
           else case when ${isForEveryone('t')} then '/t/' || ${trackSlug} else '/browse?track=' || t.id end end as path,
           case when i.release_id is not null then '/releases/' || r.slug else '/browse?track=' || t.id end as app_path,
           coalesce(r.cover_id, t.cover_id, (
             select o.cover_id from release_tracks e join tracks o on o.id = e.track_id
              where e.release_id = r.id and o.is_published and o.cover_id is not null
              order by e.disc, e.position limit 1)) as cover_id,
           case when i.release_id is not null then ${isVisibleRelease} and ${isOpenTo('r', premium)}
                else ${isOpenTo('t', premium)} end as is_open
      from news_items i
      left join releases r on r.id = i.release_id
      left join tracks t on t.id = i.track_id
     where i.id = any(${itemIds}::uuid[])
     order by i.created_at desc, i.id desc`.execute(handle.query)
  return rows
}

/** Returns a description such as "Album by Mira Holt". */
export function describeSubject({ kind, artist }: Pick<NewsSubject, 'kind' | 'artist'>): string {
  return `${kind === 'track' ? 'Track' : releaseKindLabels[kind]} by ${artist}`
}
