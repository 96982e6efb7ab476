// The visible catalogue in the structure that Subsonic apps require: every song is on exactly one album, and every
// album has an artist. If a song is on several published releases, releaseRank() selects its album. A song without a
// release is itself an album, as a single. `availability` decides which rows members see.
import { sql, type RawBuilder } from 'kysely'
import { isAvailable } from '../availability/availability.ts'

/**
 * The sort key for the release that counts as a song's album. Albums precede EPs, compilations and singles, and older
 * releases precede newer ones of the same kind. The order is total.
 */
function releaseRank(release: string): RawBuilder<unknown> {
  return sql`row(array_position(array['album', 'ep', 'compilation', 'single'], ${sql.ref(`${release}.kind`)}),
    ${sql.ref(`${release}.released_on`)}, ${sql.ref(`${release}.id`)})`
}

/** A lateral subquery for a track's album and the track's position on it. Returns no row for a single. */
export function albumOf(track: string): RawBuilder<unknown> {
  return sql`(
    select r.id, r.title, r.artist, r.released_on, r.cover_id, e.disc, e.position
      from release_tracks e join releases r on r.id = e.release_id
     where e.track_id = ${sql.ref(`${track}.id`)} and ${isAvailable('r')}
     order by ${releaseRank('r')} limit 1)`
}

/** A condition: whether the release `r` counts as the album of the track in `e`. */
const isAlbumOf = sql<boolean>`not exists (
  select from release_tracks e2 join releases r2 on r2.id = e2.release_id
   where e2.track_id = e.track_id and ${isAvailable('r2')} and ${releaseRank('r2')} < ${releaseRank('r')})`

/** A join of the songs whose album is the release `r`. Its aliases are `release_tracks as e` and `tracks as s`. */
export const songsOfRelease = sql`release_tracks e join tracks s
  on s.id = e.track_id and e.release_id = r.id and ${isAvailable('s')} and ${isAlbumOf}`

/** A condition: whether the track `t` is a single, which is also its own album. */
export const isSingle = sql<boolean>`(${isAvailable('t')} and not exists (
  select from release_tracks e join releases r on r.id = e.release_id
   where e.track_id = t.id and ${isAvailable('r')}))`

/** A condition: whether the release `r` is the album of at least one song. */
export const isAlbum = sql<boolean>`(${isAvailable('r')} and exists (select from ${songsOfRelease}))`

/** A subquery for the ids of all albums: releases and singles. */
export const albumIds = sql`(
  select r.id from releases r where ${isAlbum} union all select t.id from tracks t where ${isSingle})`

/** A condition: whether an id is the id of an album. */
export function isAlbumId(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from releases r where r.id = ${id} and ${isAlbum})
    or exists (select from tracks t where t.id = ${id} and ${isSingle}))`
}

/** The columns by which albums are sorted, for a release, a single, or the union of both. */
interface AlbumColumns extends Record<
  'id' | 'title' | 'artist' | 'created_at' | 'released_on',
  RawBuilder<unknown>
> {
  /** The table alias whose row the columns belong to. */
  alias: string
}

/** A function that builds a part of a query from the sort columns of albums. */
type OfAlbums = (columns: AlbumColumns) => RawBuilder<unknown>

const getColumns = (alias: string): AlbumColumns => ({
  id: sql.ref(`${alias}.id`),
  title: sql.ref(`${alias}.title`),
  artist: sql.ref(`${alias}.artist`),
  created_at: sql.ref(`${alias}.created_at`),
  released_on: sql.ref(`${alias}.released_on`),
  alias,
})

/** A single uses its track's creation time for both columns, so that an index covers the order by time. */
const columnsOfSingle: AlbumColumns = { ...getColumns('t'), released_on: sql.ref('t.created_at') }

type SortColumn = 'title' | 'artist' | 'created_at' | 'released_on' | 'search_folded'

export interface AlbumOrder {
  by: OfAlbums
  /**
   * The columns that `by` uses in addition to the id. No other columns are read, so that an index-only scan is
   * possible.
   */
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
 * Selects the ids of one page of all albums. Releases and singles are each read in the requested order up to the end of
 * the page, so that both queries can use an index.
 */
export function selectAlbumPage(page: AlbumPage): RawBuilder<unknown> {
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
         from releases r where ${isAlbum} and ${where.release} order by ${order.by(getColumns('r'))} limit ${end})
      union all
      (select ${columns('t', { released_on })}
         from tracks t where ${isSingle} and ${where.single} order by ${order.by(columnsOfSingle)} limit ${end})) x
     order by ${order.by(getColumns('x'))} limit ${size} offset ${offset}`
}

/** A condition: whether the credit `c` is shown in the artist line. */
export const isLeading = sql<boolean>`c.role in ('main', 'featured')`

/** The album of each track that is on a release. Use this instead of albumOf() in queries over many tracks. */
export const albumOfEachTrack = sql`(
  select distinct on (e.track_id) e.track_id, r.id
    from release_tracks e join releases r on r.id = e.release_id and ${isAvailable('r')}
   order by e.track_id, ${releaseRank('r')})`

/** A condition: whether the artist `a` has a visible track or an album. */
export const isVisibleArtist = sql<boolean>`(
  exists (select from track_credits c join tracks t on t.id = c.track_id
           where c.artist_id = a.id and ${isLeading} and ${isAvailable('t')})
  or exists (select from release_credits c join releases r on r.id = c.release_id
              where c.artist_id = a.id and ${isAlbum}))`

/**
 * Selects the ids of an artist's albums: albums credited to the artist, and albums with at least one of the artist's
 * songs.
 */
export function selectAlbumsOfArtist(artistId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select r.id from release_credits c join releases r on r.id = c.release_id
     where c.artist_id = ${artistId} and ${isAlbum}
    union
    select coalesce(album.id, t.id) from track_credits c join tracks t on t.id = c.track_id
      left join lateral ${albumOf('t')} album on true
     where c.artist_id = ${artistId} and ${isLeading} and ${isAvailable('t')})`
}

/** The genre of the track `t`, or its first category if it has no genre. */
export const genreOrCategory = sql<string | null>`coalesce(nullif(t.genre, ''), t.category)`
