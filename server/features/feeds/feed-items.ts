// Reads the items of feeds. Public feeds contain releases, and tracks without a release, that have a public page. The
// feeds of Premium members contain every published track.
import { sql } from 'kysely'
import type { PageKind } from '#contract/public-pages.ts'
import type { Handle } from '../../platform/db/database.ts'
import { isForEveryone } from '../availability/availability.ts'
import { trackColumns, trackJoins, type PageTrack } from '../public-pages/page-tracks.ts'
import { isReleaseForEveryone } from '../releases/release-query.ts'

export interface FeedItem {
  kind: Extract<PageKind, 'release' | 'track'>
  id: string
  slug: string
  title: string
  artist: string
  label: string
  description: string | null
  cover_id: string | null
  published_at: string
}

const maxItems = 50
const maxEpisodes = 200

/**
 * Releases and tracks for the feed of new releases, newest first. A track is left out if its release has a public page.
 */
export async function readNewReleases(db: Handle): Promise<FeedItem[]> {
  const { rows } = await sql<FeedItem>`
    select * from (
      (select 'release' as kind, r.id, r.slug, r.title, r.artist,
              case r.kind when 'ep' then 'EP' else initcap(r.kind) end as label, r.description,
              coalesce(r.cover_id, (
                select t.cover_id from release_tracks e join tracks t on t.id = e.track_id
                 where e.release_id = r.id and t.cover_id is not null and ${isForEveryone('t')}
                 order by e.disc, e.position limit 1)) as cover_id,
              r.created_at as published_at
         from releases r where ${isReleaseForEveryone} and r.deleted_at is null
        order by r.created_at desc, r.id desc limit ${maxItems})
      union all
      (select 'track', t.id, s.slug, t.title, t.artist, 'Track', t.description, t.cover_id, t.created_at
         from tracks t join page_slugs s on s.item_id = t.id and s.kind = 'track' and s.is_current
        where ${isForEveryone('t')} and t.deleted_at is null
          and not exists (select from release_tracks e join releases r on r.id = e.release_id
                           where e.track_id = t.id and ${isReleaseForEveryone})
        order by t.created_at desc, t.id desc limit ${maxItems})
    ) items order by published_at desc, id desc limit ${maxItems}`.execute(db.query)
  return rows
}

export interface Episode extends PageTrack {
  description: string | null
  /** Size of the full track's file. */
  full_bytes: number | null
}

/**
 * Reads podcast episodes. `everyone`: tracks with a public page and a preview. `premium`: every published track with
 * its file.
 */
export async function readEpisodes(
  db: Handle,
  audience: 'everyone' | 'premium',
): Promise<Episode[]> {
  const isShown =
    audience === 'premium'
      ? sql`t.is_published and whole.id is not null`
      : sql`${isForEveryone('t')} and preview.id is not null`
  const { rows } = await sql<Episode>`
    select ${trackColumns}, t.description, whole.byte_size as full_bytes
      from tracks t ${trackJoins}
      left join renditions whole on whole.track_id = t.id and whole.kind = 'high'
     where ${isShown} and t.deleted_at is null
     order by t.created_at desc, t.id desc limit ${maxEpisodes}`.execute(db.query)
  return rows
}
