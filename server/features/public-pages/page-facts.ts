// Reads the contents of a public page from the database. They are the same for all readers, except for readers with a
// press link.
import { sql } from 'kysely'
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import type { ArtistLink, CreditRole } from '#contract/fields/artist-credits.ts'
import type { ReleaseKind } from '#contract/fields/release-fields.ts'
import { pagePath, type PageKind } from '#contract/public-pages.ts'
import type { Handle } from '../../platform/db/database.ts'
import { isArtistForEveryone } from '../artists/artist-query.ts'
import { isForEveryone } from '../availability/availability.ts'
import { isReleaseForEveryone } from '../releases/release-query.ts'
import type { FoundPage, Reader } from './find-page.ts'
import { readTracks, type PageTrack } from './page-tracks.ts'

export interface PageCover {
  cover_id: string | null
  cover_tint: string | null
  cover_placeholder: string | null
}

/** A name, and the slug of the page it links to. The slug is null if there is no page. */
export interface PageName {
  name: string
  slug: string | null
  /** The text between this name and the next one, for example ` feat. `. */
  joiner: string
}

export interface PageRelease extends PageCover {
  title: string
  slug: string
  kind: ReleaseKind
  year: string | null
}

export interface PageFacts extends PageCover {
  kind: PageKind
  id: string
  slug: string
  /** URL of the page without the host. */
  path: string
  /** Path of the same item in the app. */
  appPath: string
  reader: Reader
  title: string
  /** The kind of item, for example `Album`. */
  label: string
  /** The artist line. Empty if there is none. */
  artist: string
  artists: PageName[]
  description: string | null
  /** The release date or publication day, for example `2026-11-21`. Null if there is none. */
  date: string | null
  /** The tracks that the reader may see. For a track, the track itself. */
  tracks: PageTrack[]
  /** Number of further tracks that only members see. */
  more: number
  /** The strongest AI disclosure among the page's tracks. */
  ai_disclosure: AiDisclosure
  changed_at: string
  track: TrackFacts | null
  releases: PageRelease[]
  links: ArtistLink[]
}

export interface TrackFacts {
  ai_tool: string | null
  credits_text: string | null
  credits: (PageName & { role: CreditRole })[]
  genre: string | null
  lyrics: string | null
  /** The waveform: about 800 loudness values from 0 to 255. */
  peaks: Buffer | null
  premium: 'premium_only' | 'early_access' | null
  release: { title: string; slug: string } | null
}

/**
 * Maximum number of tracks on a page. A release page shows all tracks, so its limit is the maximum size of a release.
 * Other pages show the newest or first tracks.
 */
const maxTracks: Record<PageKind, number> = {
  track: 1,
  release: 500,
  artist: 50,
  playlist: 100,
  category: 100,
}

interface Head extends PageCover {
  title: string
  label: string
  artist: string
  artists: PageName[]
  description: string | null
  date: string | null
  changed_at: string
  links?: ArtistLink[]
  /** Path of the item in the app. */
  app: string
}

/** Reads a page. Null if the item was deleted after its URL was resolved. */
export async function readPage(
  db: Handle,
  page: FoundPage,
  { withLyrics }: { withLyrics: boolean },
): Promise<PageFacts | null> {
  const { kind, id, slug, reader } = page
  const [head, { tracks, total }] = await Promise.all([
    heads[kind](db, id),
    readTracks(db, page, maxTracks[kind]),
  ])
  if (!head) return null
  const [first] = tracks
  const track = kind === 'track' ? await readTrackFacts(db, id, reader, withLyrics) : null
  const releases = kind === 'artist' ? await readReleases(db, id) : []
  const own = head.cover_id ? head : (first ?? head)
  return {
    kind,
    id,
    slug,
    reader,
    path: pagePath(kind, slug),
    appPath: head.app,
    title: head.title,
    label: head.label,
    artist: head.artist,
    artists: head.artists,
    description: head.description,
    date: head.date,
    links: head.links ?? [],
    changed_at: head.changed_at,
    cover_id: own.cover_id,
    cover_tint: own.cover_tint,
    cover_placeholder: own.cover_placeholder,
    tracks,
    more: Math.max(0, total - tracks.length),
    ai_disclosure: strongest(tracks),
    track,
    releases,
  }
}

function strongest(tracks: readonly PageTrack[]): AiDisclosure {
  const all = new Set(tracks.map(({ ai_disclosure }) => ai_disclosure))
  if (all.has('ai_generated')) return 'ai_generated'
  return all.has('ai_assisted') ? 'ai_assisted' : 'human'
}

const artistSlug = sql<string | null>`case when ${isArtistForEveryone} then a.slug end`
const cover = sql`cover.id as cover_id, cover.tint as cover_tint, cover.placeholder as cover_placeholder`
const joinCover = (id: string) => sql`left join images cover on cover.id = ${sql.ref(id)}`

const heads: Record<PageKind, (db: Handle, id: string) => Promise<Head | null>> = {
  track: (db, id) =>
    readHead(
      db,
      sql`select t.title, 'Track' as label, t.artist, t.description, t.created_at::date::text as date,
                 t.updated_at as changed_at, '/browse?track=' || t.id as app, ${cover},
                 (select coalesce(json_agg(json_build_object('name', coalesce(c.credited_as, a.name), 'slug', ${artistSlug},
                         'joiner', case when c.joiner <> '' then c.joiner
                                        when c.role = 'main' and c.next_role = 'featured' then ' feat. '
                                        else ', ' end) order by c.position), '[]')
                    from (select *, lead(role) over (order by position) as next_role from track_credits
                           where track_id = t.id and role in ('main', 'featured')) c
                    join artists a on a.id = c.artist_id) as artists
            from tracks t ${joinCover('t.cover_id')} where t.id = ${id}`,
    ),
  release: (db, id) =>
    readHead(
      db,
      sql`select r.title, case r.kind when 'ep' then 'EP' else initcap(r.kind) end as label, r.artist, r.description,
                 r.released_on::text as date, r.updated_at as changed_at, '/releases/' || r.slug as app, ${cover},
                 (select coalesce(json_agg(json_build_object('name', a.name, 'slug', ${artistSlug},
                         'joiner', coalesce(nullif(c.joiner, ''), ', ')) order by c.position), '[]')
                    from release_credits c join artists a on a.id = c.artist_id where c.release_id = r.id) as artists
            from releases r ${joinCover('r.cover_id')} where r.id = ${id}`,
    ),
  artist: (db, id) =>
    readHead(
      db,
      sql`select a.name as title, 'Artist' as label, '' as artist, a.biography as description, null as date, a.links,
                 a.updated_at as changed_at, '/artists/' || a.slug as app, ${cover}, '[]'::json as artists
            from artists a ${joinCover('a.picture_id')} where a.id = ${id}`,
    ),
  playlist: (db, id) =>
    readHead(
      db,
      sql`select p.title, 'Playlist' as label, '' as artist, p.description, null as date, p.updated_at as changed_at,
                 '/my-playlists/' || p.id as app, ${cover}, '[]'::json as artists
            from playlists p ${joinCover('p.cover_id')} where p.id = ${id}`,
    ),
  category: (db, id) =>
    readHead(
      db,
      sql`select c.display_name as title, 'Category' as label, '' as artist, c.description, null as date,
                 coalesce(c.changed_at, c.created_at) as changed_at, '/browse?category=' || c.category as app, ${cover},
                 '[]'::json as artists
            from category_metadata c ${joinCover('c.cover_id')} where c.id = ${id}`,
    ),
}

async function readHead(db: Handle, query: ReturnType<typeof sql>): Promise<Head | null> {
  const { rows } = await query.execute(db.query)
  return (rows[0] as Head | undefined) ?? null
}

async function readTrackFacts(
  db: Handle,
  id: string,
  reader: Reader,
  withLyrics: boolean,
): Promise<TrackFacts | null> {
  const isShown = reader === 'press' ? sql`r.is_published` : isReleaseForEveryone
  const { rows } = await sql<TrackFacts>`
    select t.ai_tool, t.credits as credits_text, t.genre, t.peaks,
           ${withLyrics ? sql`t.lyrics` : sql`null`} as lyrics,
           case when t.audience = 'premium' then 'premium_only'
                when t.early_access_until > now() then 'early_access' end as premium,
           (select coalesce(json_agg(json_build_object('role', c.role, 'name', coalesce(c.credited_as, a.name),
                   'slug', ${artistSlug}, 'joiner', '') order by c.position), '[]')
              from track_credits c join artists a on a.id = c.artist_id where c.track_id = t.id) as credits,
           (select json_build_object('title', r.title, 'slug', r.slug)
              from release_tracks e join releases r on r.id = e.release_id
             where e.track_id = t.id and ${isShown} and ${isReleaseForEveryone}
             order by r.released_on, r.id limit 1) as release
      from tracks t where t.id = ${id}`.execute(db.query)
  return rows[0] ?? null
}

async function readReleases(db: Handle, artistId: string): Promise<PageRelease[]> {
  const { rows } = await sql<PageRelease>`
    select r.title, r.slug, r.kind, extract(year from r.released_on)::text as year, ${cover}
      from releases r
      left join images cover on cover.id = coalesce(r.cover_id, (
        select t.cover_id from release_tracks e join tracks t on t.id = e.track_id
         where e.release_id = r.id and t.cover_id is not null and ${isForEveryone('t')}
         order by e.disc, e.position limit 1))
     where ${isReleaseForEveryone}
       and r.id in (select release_id from release_credits where artist_id = ${artistId})
     order by r.released_on desc, r.id desc limit 24`.execute(db.query)
  return rows
}
