// What members see of the catalogue, as apps need it: every song is on exactly one album, and every album has an artist.
// A song's album is its best published release, or else the song itself as a single. Whether
// members see a row is the rule of `availability`.
import { sql, type RawBuilder } from 'kysely'
import { isAvailable } from '../availability/availability.ts'

/** Albums before EPs, compilations and singles; of the same kind the oldest. The order is total. */
function releaseRank(release: string): RawBuilder<unknown> {
  return sql`row(array_position(array['album', 'ep', 'compilation', 'single'], ${sql.ref(`${release}.kind`)}),
    ${sql.ref(`${release}.released_on`)}, ${sql.ref(`${release}.id`)})`
}

/** The release that is the album of a track, with its place there. A lateral subquery; empty for a single. */
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

/** Whether a track `t` is an album of its own. */
export const isSingle = sql<boolean>`(${isAvailable('t')} and not exists (
  select from release_tracks e join releases r on r.id = e.release_id
   where e.track_id = t.id and ${isAvailable('r')}))`

/** Whether a release `r` has songs. */
export const isAlbum = sql<boolean>`(${isAvailable('r')} and exists (select from ${songsOfRelease}))`

/** Every album: `id`, and what lists are filtered and sorted by. */
export const albums = sql`(
  select r.id, r.title, r.artist, r.created_at, r.released_on, r.search_folded from releases r where ${isAlbum}
  union all
  select t.id, t.title, t.artist, t.created_at, (t.created_at at time zone 'UTC')::date, t.search_folded
    from tracks t where ${isSingle})`

/** Credits that are part of an artist line. */
export const isLeading = sql<boolean>`c.role in ('main', 'featured')`

/** Whether an artist `a` has something to hear, or made an album. */
export const isHeard = sql<boolean>`(
  exists (select from track_credits c join tracks t on t.id = c.track_id
           where c.artist_id = a.id and ${isLeading} and ${isAvailable('t')})
  or exists (select from release_credits c join releases r on r.id = c.release_id
              where c.artist_id = a.id and ${isAlbum}))`

/** Ids of the albums of an artist: made by them, or with a song of theirs. */
export function albumsOfArtist(artistId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select r.id from release_credits c join releases r on r.id = c.release_id
     where c.artist_id = ${artistId} and ${isAlbum}
    union
    select coalesce(album.id, t.id) from track_credits c join tracks t on t.id = c.track_id
      left join lateral ${albumOf('t')} album on true
     where c.artist_id = ${artistId} and ${isLeading} and ${isAvailable('t')})`
}

/** The genre of a track `t`: its genre, or else its category. */
export const genreOf = sql<string | null>`coalesce(nullif(t.genre, ''), t.category)`
