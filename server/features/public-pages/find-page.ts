// Finds the item that a page's URL refers to, and decides whether the reader may open it.
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { PageKind } from '#contract/public-pages.ts'
import type { Handle } from '../../platform/db/database.ts'
import { isArtistForEveryone } from '../artists/artist-query.ts'
import { isForEveryone } from '../availability/availability.ts'
import { isPlaylistForEveryone } from '../playlists/playlist-query.ts'
import { isReleaseForEveryone } from '../releases/release-query.ts'

/** Who reads the page. `press` readers have a press link, which also opens unpublished items. */
export type Reader = 'everyone' | 'press'

export interface FoundPage {
  kind: PageKind
  id: string
  /** The current slug. URLs with former slugs are redirected to it. */
  slug: string
  reader: Reader
}

interface Row {
  id: string
  slug: string
  is_public: boolean
}

/** Builds the queries that find an item by its slug and by its id. */
interface Lookup {
  bySlug: (slug: string) => RawBuilder<Row>
  byId: (id: string) => RawBuilder<Row>
}

const presentSlug = (kind: 'track' | 'playlist', id: RawBuilder<unknown>) => sql`(
  select s.slug from page_slugs s where s.item_id = ${id} and s.kind = ${kind} and s.is_current)`

const trackRow = sql`select t.id, ${presentSlug('track', sql`t.id`)} as slug, ${isForEveryone('t')} as is_public
  from tracks t where t.deleted_at is null`
const playlistRow = sql`select p.id, ${presentSlug('playlist', sql`p.id`)} as slug, ${isPlaylistForEveryone('p')} as is_public
  from playlists p where true`
const releaseRow = sql`select r.id, r.slug, ${isReleaseForEveryone} as is_public from releases r where r.deleted_at is null`
const artistRow = sql`select a.id, a.slug, ${isArtistForEveryone} as is_public from artists a where true`

const byPageSlug = (kind: 'track' | 'playlist', slug: string) =>
  sql`(select item_id from page_slugs where kind = ${kind} and slug = ${slug})`

const lookups: Record<PageKind, Lookup> = {
  track: {
    bySlug: (slug) => sql`${trackRow} and t.id = ${byPageSlug('track', slug)}`,
    byId: (id) => sql`${trackRow} and t.id = ${id}`,
  },
  playlist: {
    bySlug: (slug) => sql`${playlistRow} and p.id = ${byPageSlug('playlist', slug)}`,
    byId: (id) => sql`${playlistRow} and p.id = ${id}`,
  },
  release: {
    bySlug: (slug) =>
      sql`${releaseRow} and (r.slug = ${slug} or r.id = (select release_id from release_slugs where slug = ${slug}))`,
    byId: (id) => sql`${releaseRow} and r.id = ${id}`,
  },
  artist: {
    bySlug: (slug) =>
      sql`${artistRow} and (a.slug = ${slug} or a.id = (select artist_id from artist_slugs where slug = ${slug}))`,
    byId: (id) => sql`${artistRow} and a.id = ${id}`,
  },
  category: {
    bySlug: (slug) => sql`${categoryRow()} and c.category = ${slug}`,
    byId: (id) => sql`${categoryRow()} and c.id = ${id}`,
  },
}

function categoryRow() {
  return sql`select c.id, c.category as slug, ${isCategoryForEveryone} as is_public from category_metadata c where true`
}

/**
 * A condition: whether the category `c` has a public page. It must be visible and contain an item that has a public
 * page.
 */
export const isCategoryForEveryone = sql<boolean>`(c.is_visible and exists (
  select from track_categories k join tracks t on t.id = k.track_id
   where k.category = c.category and k.is_published and ${isForEveryone('t')}))`

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Finds an item by its slug. Null if it does not exist or is not public. `press`, the secret of a press link, also
 * opens items that are not public.
 */
export async function findPage(
  db: Handle,
  kind: PageKind,
  slug: string,
  press: string | null = null,
): Promise<FoundPage | null> {
  if (slug.length > 120 || !slugPattern.test(slug)) return null
  const { rows } = await lookups[kind].bySlug(slug).execute(db.query)
  const found = rows[0]
  if (!found) return null
  const page = { kind, id: found.id, slug: found.slug }
  if (found.is_public) return { ...page, reader: 'everyone' }
  const isOpen = press !== null && (await opensItem(db, { kind, id: found.id }, press))
  return isOpen ? { ...page, reader: 'press' } : null
}

/** Finds an item by its id. Null if it does not exist or is not public. */
export async function findPageById(
  db: Handle,
  kind: PageKind,
  id: string,
): Promise<FoundPage | null> {
  const { rows } = await lookups[kind].byId(id).execute(db.query)
  const found = rows[0]
  return found?.is_public ? { kind, id, slug: found.slug, reader: 'everyone' } : null
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

/**
 * Whether a press link opens this track. A link to a release opens all its tracks, a link to an artist only the
 * published ones.
 */
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
