// Reads the tracks to show on a public page: those that have a page, or that a press link opens.
import { sql, type RawBuilder } from 'kysely'
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import { pagePath, type PageKind } from '#contract/public-pages.ts'
import type { Handle } from '../../platform/db/database.ts'
import { isForEveryone } from '../availability/availability.ts'
import { trackSlug } from '../tracks/track-query.ts'
import type { FoundPage } from './find-page.ts'

export interface PageTrack {
  id: string
  slug: string
  title: string
  artist: string
  /** Duration in whole seconds. */
  duration: number
  explicit: boolean
  ai_disclosure: AiDisclosure
  cover_id: string | null
  cover_tint: string | null
  cover_placeholder: string | null
  /** Duration of the preview in whole seconds. Null if there is no preview. */
  preview_seconds: number | null
  /** A version of the preview for caches. Changes with the preview. */
  preview_etag: string | null
  preview_bytes: number | null
  created_at: string
}

export function previewPath({ slug }: Pick<PageTrack, 'slug'>): string {
  return `${pagePath('track', slug)}/preview.m4a`
}

interface Listed {
  /** SQL that joins further tables to `tracks as t`. */
  joins: RawBuilder<unknown>
  where: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** Condition for the further tracks that readers with a press link see. */
  press: RawBuilder<unknown>
}

const none = sql``
const newest = sql`t.created_at desc, t.id desc`

const lists: Record<PageKind, (id: string) => Listed> = {
  track: (id) => ({ joins: none, where: sql`t.id = ${id}`, order: sql`t.id`, press: sql`true` }),
  release: (id) => ({
    joins: sql`join release_tracks e on e.track_id = t.id`,
    where: sql`e.release_id = ${id}`,
    order: sql`e.disc, e.position`,
    press: sql`true`,
  }),
  artist: (id) => ({
    joins: none,
    where: sql`t.id in (select c.track_id from track_credits c
      where c.artist_id = ${id} and c.role in ('main', 'featured', 'remixer'))`,
    order: newest,
    press: sql`t.is_published`,
  }),
  playlist: (id) => ({
    joins: sql`join playlist_tracks e on e.track_id = t.id`,
    // During early access, members without Premium cannot see the tracks either.
    where: sql`e.playlist_id = ${id} and not exists (
      select from playlists p where p.id = e.playlist_id and p.early_access_until > now())`,
    order: sql`e.order_index`,
    press: sql`false`,
  }),
  category: (id) => ({
    joins: sql`join track_categories k on k.track_id = t.id`,
    where: sql`k.category = (select category from category_metadata where id = ${id}) and k.is_published`,
    // The same order as the index.
    order: sql`k.track_created_at desc, k.track_id desc`,
    press: sql`false`,
  }),
}

/** Reads the tracks of a page. `total` is the number of tracks that members see. */
export async function readTracks(
  db: Handle,
  { kind, id, reader }: FoundPage,
  limit: number,
): Promise<{ tracks: PageTrack[]; total: number }> {
  const { joins, where, order, press } = lists[kind](id)
  const isShown = reader === 'press' ? sql`(${press} or ${isForEveryone('t')})` : isForEveryone('t')
  const [tracks, counted] = await Promise.all([
    sql<PageTrack>`
      select ${trackColumns} from tracks t ${trackJoins} ${joins}
       where ${where} and ${isShown} and t.deleted_at is null
       order by ${order} limit ${limit}`.execute(db.query),
    sql<{ total: number }>`
      select count(*)::int as total from tracks t ${joins}
       where ${where} and (t.is_published or ${isShown}) and t.deleted_at is null`.execute(
      db.query,
    ),
  ])
  return { tracks: tracks.rows, total: counted.rows[0]?.total ?? 0 }
}

/** The columns that make a `PageTrack`. */
export const trackColumns = sql`
  t.id, ${trackSlug} as slug, t.title, t.artist, t.duration, t.explicit, t.ai_disclosure, t.created_at,
  cover.id as cover_id, cover.tint as cover_tint, cover.placeholder as cover_placeholder,
  floor(preview.duration_seconds)::int as preview_seconds, preview.etag as preview_etag,
  preview.byte_size as preview_bytes`
export const trackJoins = sql`
  left join images cover on cover.id = t.cover_id
  left join renditions preview on preview.track_id = t.id and preview.kind = 'preview'`
