// The visible catalogue in the form that apps need: every song is on exactly one album, and every album has an artist.
// A song's album is its best published release, or else the song itself as a single. The rule of `availability` decides
// which rows members see.
import { sql, type RawBuilder } from 'kysely'
import { isAvailable } from '../availability/availability.ts'

/** Albums before EPs, compilations and singles; within a kind the oldest first. The order is total. */
function releaseRank(release: string): RawBuilder<unknown> {
  return sql`row(array_position(array['album', 'ep', 'compilation', 'single'], ${sql.ref(`${release}.kind`)}),
    ${sql.ref(`${release}.released_on`)}, ${sql.ref(`${release}.id`)})`
}

/**
 * The release that is the album of a track, with the track's position on it. A lateral subquery; empty for a single.
 */
export function albumOf(track: string): RawBuilder<unknown> {
  return sql`(
    select r.id, r.title, r.artist, r.released_on, r.cover_id, e.disc, e.position
      from release_tracks e join releases r on r.id = e.release_id
     where e.track_id = ${sql.ref(`${track}.id`)} and ${isAvailable('r')}
     order by ${releaseRank('r')} limit 1)`
}

/** Whether the release `r` is the album of the track of `e`. */
const isAlbumOf = sql<boolean>`not exists (
  select from release_tracks e2 join releases r2 on r2.id = e2.release_id
   where e2.track_id = e.track_id and ${isAvailable('r2')} and ${releaseRank('r2')} < ${releaseRank('r')})`

/** The songs of a release that is an album: `release_tracks as e` and `tracks as s`, for a release `r`. */
export const songsOfRelease = sql`release_tracks e join tracks s
  on s.id = e.track_id and e.release_id = r.id and ${isAvailable('s')} and ${isAlbumOf}`

/** Whether a track `t` is an album by itself. */
export const isSingle = sql<boolean>`(${isAvailable('t')} and not exists (
  select from release_tracks e join releases r on r.id = e.release_id
   where e.track_id = t.id and ${isAvailable('r')}))`

/** Whether a release `r` has songs. */
export const isAlbum = sql<boolean>`(${isAvailable('r')} and exists (select from ${songsOfRelease}))`

/** Ids of all albums. */
export const albumIds = sql`(
  select r.id from releases r where ${isAlbum} union all select t.id from tracks t where ${isSingle})`

/** Whether the id is that of an album. */
export function isAlbumId(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from releases r where r.id = ${id} and ${isAlbum})
    or exists (select from tracks t where t.id = ${id} and ${isSingle}))`
}

/** The sort columns of albums: of a release, of a single, or of both. */
interface AlbumColumns extends Record<
  'id' | 'title' | 'artist' | 'created_at' | 'released_on',
  RawBuilder<unknown>
> {
  /** Alias of the row. */
  alias: string
}

/** A part of a query over the sort columns of albums. */
type OfAlbums = (columns: AlbumColumns) => RawBuilder<unknown>

const columnsOf = (alias: string): AlbumColumns => ({
  id: sql.ref(`${alias}.id`),
  title: sql.ref(`${alias}.title`),
  artist: sql.ref(`${alias}.artist`),
  created_at: sql.ref(`${alias}.created_at`),
  released_on: sql.ref(`${alias}.released_on`),
  alias,
})

/** A single uses the date of its track, so that both sort alike, and the order by time has an index. */
const columnsOfSingle: AlbumColumns = { ...columnsOf('t'), released_on: sql.ref('t.created_at') }

type SortColumn = 'title' | 'artist' | 'created_at' | 'released_on' | 'search_folded'

export interface AlbumOrder {
  by: OfAlbums
  /** The columns that `by` uses, beside the id. No others are read, so that an index can be enough. */
  columns: readonly SortColumn[]
}

export interface AlbumPage {
  order: AlbumOrder
  /** Conditions on releases `r`, and on tracks `t` that are singles. */
  where?: { release: RawBuilder<unknown>; single: RawBuilder<unknown> }
  size: number
  offset: number
}

/**
 * Ids of a page of all albums. Releases and singles are each read in this order up to the end of the page, so that each
 * can use an index.
 */
export function pageOfAlbums(page: AlbumPage): RawBuilder<unknown> {
  const { order, size, offset } = page
  const where = page.where ?? { release: sql`true`, single: sql`true` }
  const end = size + offset
  const columns = (alias: string, special: Partial<Record<SortColumn, RawBuilder<unknown>>> = {}) =>
    sql.join(
      ['id' as const, ...order.columns].map((name) => {
        const value = name === 'id' ? undefined : special[name]
        return value ? sql`${value} as ${sql.ref(name)}` : sql.ref(`${alias}.${name}`)
      }),
    )
  const released_on = sql`(t.created_at at time zone 'UTC')::date`
  return sql`
    select x.id from (
      (select ${columns('r')}
         from releases r where ${isAlbum} and ${where.release} order by ${order.by(columnsOf('r'))} limit ${end})
      union all
      (select ${columns('t', { released_on })}
         from tracks t where ${isSingle} and ${where.single} order by ${order.by(columnsOfSingle)} limit ${end})) x
     order by ${order.by(columnsOf('x'))} limit ${size} offset ${offset}`
}

/** Credits that are part of an artist line. */
export const isLeading = sql<boolean>`c.role in ('main', 'featured')`

/** The album of each track that is on a release. For queries over many tracks. */
export const albumOfEach = sql`(
  select distinct on (e.track_id) e.track_id, r.id
    from release_tracks e join releases r on r.id = e.release_id and ${isAvailable('r')}
   order by e.track_id, ${releaseRank('r')})`

/** Whether an artist `a` has an audible track or an album. */
export const isHeard = sql<boolean>`(
  exists (select from track_credits c join tracks t on t.id = c.track_id
           where c.artist_id = a.id and ${isLeading} and ${isAvailable('t')})
  or exists (select from release_credits c join releases r on r.id = c.release_id
              where c.artist_id = a.id and ${isAlbum}))`

/** Ids of the albums of an artist: credited to them, or with one of their songs. */
export function albumsOfArtist(artistId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select r.id from release_credits c join releases r on r.id = c.release_id
     where c.artist_id = ${artistId} and ${isAlbum}
    union
    select coalesce(album.id, t.id) from track_credits c join tracks t on t.id = c.track_id
      left join lateral ${albumOf('t')} album on true
     where c.artist_id = ${artistId} and ${isLeading} and ${isAvailable('t')})`
}

/** The genre of a track `t`, or else its category. */
export const genreOf = sql<string | null>`coalesce(nullif(t.genre, ''), t.category)`
