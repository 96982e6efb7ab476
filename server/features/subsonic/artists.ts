// Artists in the Subsonic API: all artists with a song or an album that members can see.
import { sql, type RawBuilder } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import { foldText } from '#contract/fields/search-text.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { Tree } from './response.ts'
import { albumOfEachTrack, isAlbum, isLeading } from './catalogue.ts'
import { itemId } from './item-ids.ts'

export interface ArtistRow {
  id: string
  name: string
  sort_name: string | null
  biography: string | null
  cover_id: string | null
  album_count: number
  liked_at: string | null
  rating: number | null
}

/**
 * `chosen` selects the ids of the artists to read, and their position as `place`. Artists without visible songs are
 * left out.
 */
export async function readArtists(
  { db, actor: { user_id } }: MemberContext,
  chosen: RawBuilder<unknown>,
): Promise<ArtistRow[]> {
  const { rows } = await sql<ArtistRow>`
    with chosen as materialized (${chosen}),
    credited as materialized (
      select c.artist_id, ${isLeading} as is_leading, t.id as track_id, t.cover_id, t.created_at
        from chosen join track_credits c on c.artist_id = chosen.id
        join tracks t on t.id = c.track_id and ${isAvailable('t')}),
    made as (
      select artist_id, count(*)::int as album_count from (
        select s.artist_id, coalesce(album.id, s.track_id) as album_id
          from credited s left join ${albumOfEachTrack} album on album.track_id = s.track_id where s.is_leading
         union
        select c.artist_id, r.id from chosen join release_credits c on c.artist_id = chosen.id
          join releases r on r.id = c.release_id and ${isAlbum}) own
       group by artist_id),
    pictured as (
      select distinct on (artist_id) artist_id, cover_id from credited where cover_id is not null
       order by artist_id, created_at, track_id)
    select a.id, a.name, a.sort_name, a.biography, l.created_at as liked_at, rated.rating, made.album_count,
           coalesce(a.picture_id, pictured.cover_id) as cover_id
      from chosen join artists a on a.id = chosen.id join made on made.artist_id = a.id
      left join pictured on pictured.artist_id = a.id
      left join artist_likes l on l.artist_id = a.id and l.user_id = ${user_id}
      left join app_ratings rated on rated.item_id = a.id and rated.user_id = ${user_id}
     order by chosen.place, a.id`.execute(db.query)
  return rows
}

/** Selects all artists, sorted by name. */
export const allArtists = sql`
  select id, row_number() over (order by lower(coalesce(sort_name, name)), id) as place from artists`

export function toArtist(row: ArtistRow): Tree {
  return {
    id: itemId('artist', row.id),
    name: row.name,
    coverArt: row.cover_id ? itemId('cover', row.cover_id) : undefined,
    albumCount: row.album_count,
    starred: row.liked_at ?? undefined,
    userRating: row.rating ?? undefined,
    sortName: row.sort_name ?? undefined,
  }
}

/** An artist as older Subsonic calls return it: as a folder of albums. */
export function toArtistFolder(row: ArtistRow): Tree {
  const { id, name, coverArt, starred, userRating } = toArtist(row)
  return { id, name, coverArt, starred, userRating }
}

export const ignoredArticles = 'The El La Los Las Le Les'
const article = new RegExp(`^(?:${ignoredArticles.split(' ').join('|')}) (?=.)`, 'i')

/**
 * Groups artists by first letter, ignoring accents and articles. Names that start with a digit or a symbol are under
 * `#`.
 */
export function indexByLetter(
  rows: readonly ArtistRow[],
  toTree: (row: ArtistRow) => Tree,
): { name: string; artist: Tree[] }[] {
  const groups = Map.groupBy(rows, ({ name, sort_name }) => {
    const [letter = ''] = foldText((sort_name ?? name).replace(article, ''))
    return /\p{L}/u.test(letter) ? letter.toUpperCase() : '#'
  })
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, artists]) => ({ name, artist: artists.map(toTree) }))
}
