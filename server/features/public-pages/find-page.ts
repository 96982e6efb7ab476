// Which thing an address names, and whether whoever asks may open it.
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { PageKind } from '#contract/public-pages.ts'
import type { Handle } from '../../platform/db/database.ts'
import { isArtistForEveryone } from '../artists/artist-query.ts'
import { isForEveryone } from '../availability/availability.ts'
import { isPlaylistForEveryone } from '../playlists/playlist-query.ts'
import { isReleaseForEveryone } from '../releases/release-query.ts'

/** `press`: by a press link, which opens what is not public. */
export type Reader = 'everyone' | 'press'

export interface FoundPage {
  kind: PageKind
  id: string
  /** The present one: another address leads to it. */
  slug: string
  reader: Reader
}

interface Row {
  id: string
  slug: string
  is_public: boolean
}

/** Present and former slugs of tracks and playlists lead to them. */
const slugged = (kind: 'track' | 'playlist', slug: string) => sql`
  page_slugs given join page_slugs present
    on present.item_id = given.item_id and present.kind = given.kind and present.is_current
 where given.kind = ${kind} and given.slug = ${slug}`

const lookups: Record<PageKind, (slug: string) => RawBuilder<Row>> = {
  track: (slug) => sql`
    select t.id, present.slug, ${isForEveryone('t')} as is_public
      from tracks t, ${slugged('track', slug)} and t.id = given.item_id and t.deleted_at is null`,
  playlist: (slug) => sql`
    select p.id, present.slug, ${isPlaylistForEveryone('p')} as is_public
      from playlists p, ${slugged('playlist', slug)} and p.id = given.item_id`,
  release: (slug) => sql`
    select r.id, r.slug, ${isReleaseForEveryone} as is_public from releases r
     where r.deleted_at is null
       and (r.slug = ${slug} or r.id = (select release_id from release_slugs where slug = ${slug}))`,
  artist: (slug) => sql`
    select a.id, a.slug, ${isArtistForEveryone} as is_public from artists a
     where a.slug = ${slug} or a.id = (select artist_id from artist_slugs where slug = ${slug})`,
  category: (slug) => sql`
    select c.id, c.category as slug, ${isCategoryForEveryone} as is_public
      from category_metadata c where c.category = ${slug}`,
}

/** Whether the category `c` has a public page: members see it, and something in it has a page. */
export const isCategoryForEveryone = sql<boolean>`(c.is_visible and exists (
  select from tracks t where t.category = c.category and ${isForEveryone('t')}))`

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Null for what is not there, or neither public nor opened by `press`, the secret of a press link. */
export async function findPage(
  db: Handle,
  kind: PageKind,
  slug: string,
  press: string | null = null,
): Promise<FoundPage | null> {
  if (slug.length > 120 || !slugPattern.test(slug)) return null
  const { rows } = await lookups[kind](slug).execute(db.query)
  const found = rows[0]
  if (!found) return null
  const page = { kind, id: found.id, slug: found.slug }
  if (found.is_public) return { ...page, reader: 'everyone' }
  const isOpen = press !== null && (await opensItem(db, { kind, id: found.id }, press))
  return isOpen ? { ...page, reader: 'press' } : null
}

export function hashPressSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

async function opensItem(
  db: Handle,
  item: { kind: PageKind; id: string },
  press: string,
): Promise<boolean> {
  if (item.kind === 'track') return opensTrack(db, item.id, press)
  const { rows } = await sql`
    select from press_links l
     where l.secret_hash = ${hashPressSecret(press)} and l.kind = ${item.kind} and l.item_id = ${item.id}
       and l.expires_at > now()`.execute(db.query)
  return rows.length > 0
}

/** A link to a release opens its tracks; one to an artist those that members see. */
async function opensTrack(db: Handle, id: string, press: string): Promise<boolean> {
  const { rows } = await sql`
    select from press_links l join tracks t on t.id = ${id}
     where l.secret_hash = ${hashPressSecret(press)} and l.expires_at > now() and case l.kind
       when 'track' then l.item_id = t.id
       when 'release' then exists (
         select from release_tracks e where e.release_id = l.item_id and e.track_id = t.id)
       else t.is_published and exists (
         select from track_credits c where c.artist_id = l.item_id and c.track_id = t.id) end`.execute(
    db.query,
  )
  return rows.length > 0
}
