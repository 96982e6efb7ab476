// Albums in the Subsonic API: releases, and tracks without a release as singles.
import { sql, type RawBuilder } from 'kysely'
import type { MemberContext } from '../../platform/operations/context.ts'
import { isAvailable } from '../availability/availability.ts'
import { hasFullAccess } from '../billing/entitlements.ts'
import type { Tree } from './response.ts'
import { genreOrCategory, isLeading, isSingle, songsOfRelease } from './catalogue.ts'
import { itemId } from './item-ids.ts'
import { toArtistRef } from './songs.ts'

interface AlbumRow {
  id: string
  kind: 'single' | 'ep' | 'album' | 'compilation'
  title: string
  artist: string
  artists: { id: string; name: string }[] | null
  released_on: string
  created_at: string
  cover_id: string | null
  song_count: number
  full_seconds: number
  preview_seconds: number
  genres: string[]
  is_explicit: boolean
  liked_at: string | null
  rating: number | null
  play_count: number
  played_at: string | null
  label: string | null
}

/** `chosen` selects the ids of the albums to read, and their position as `place`. Hidden albums are left out. */
export async function readAlbums(ctx: MemberContext, chosen: RawBuilder<unknown>): Promise<Tree[]> {
  const { user_id } = ctx.actor
  const { rows } = await sql<AlbumRow>`
    with chosen as materialized (${chosen}),
    found as (
      select chosen.place, r.id, r.kind, r.title, r.artist, r.released_on, r.created_at, r.cover_id, r.label,
             array(select s.id from ${songsOfRelease} order by e.disc, e.position, s.id) as song_ids, l.created_at as liked_at
        from chosen join releases r on r.id = chosen.id and ${isAvailable('r')}
        left join release_likes l on l.release_id = r.id and l.user_id = ${user_id}
      union all
      select chosen.place, t.id, 'single', t.title, t.artist, (t.created_at at time zone 'UTC')::date, t.created_at,
             t.cover_id, null, array[t.id], l.created_at
        from chosen join tracks t on t.id = chosen.id and ${isSingle}
        left join likes l on l.track_id = t.id and l.user_id = ${user_id})
    select f.id, f.kind, f.title, f.artist, f.released_on::text, f.created_at, f.label, f.liked_at, rated.rating,
           coalesce(f.cover_id, songs.cover_id) as cover_id, songs.song_count, songs.full_seconds, songs.preview_seconds,
           songs.is_explicit, coalesce(songs.genres, '{}') as genres, coalesce(makers.artists, credited.artists) as artists,
           heard.play_count, heard.played_at
      from found f
      cross join lateral (
        select count(*)::int as song_count, coalesce(sum(t.duration), 0)::int as full_seconds,
               coalesce(sum(coalesce(p.duration_seconds, t.duration)), 0)::int as preview_seconds,
               bool_or(t.explicit) as is_explicit,
               array_remove(array_agg(distinct ${genreOrCategory}), null) as genres,
               (array_agg(t.cover_id order by array_position(f.song_ids, t.id)) filter (where t.cover_id is not null))[1] as cover_id
          from tracks t left join renditions p on p.track_id = t.id and p.kind = 'preview'
         where t.id = any(f.song_ids) having count(*) > 0) songs
      left join lateral (
        select json_agg(json_build_object('id', a.id, 'name', a.name) order by c.position) as artists
          from release_credits c join artists a on a.id = c.artist_id where c.release_id = f.id) makers on true
      left join lateral (
        select json_agg(json_build_object('id', a.id, 'name', a.name) order by c.position) as artists
          from track_credits c join artists a on a.id = c.artist_id
         where c.track_id = f.song_ids[1] and ${isLeading}) credited on true
      left join lateral (
        select count(*) filter (where p.counted_at is not null)::int as play_count, max(p.reported_at) as played_at
          from plays p where p.user_id = ${user_id} and p.track_id = any(f.song_ids)) heard on true
      left join app_ratings rated on rated.item_id = f.id and rated.user_id = ${user_id}
     order by f.place, f.id`.execute(ctx.db.query)
  return rows.map((row) => toAlbum(ctx, row))
}

const releaseTypes = { single: 'Single', ep: 'EP', album: 'Album', compilation: 'Compilation' }

function toAlbum({ actor }: MemberContext, row: AlbumRow): Tree {
  const artists = row.artists ?? []
  const [year, month, day] = row.released_on.split('-').map(Number)
  const hasFull = hasFullAccess(actor)
  return {
    id: itemId('album', row.id),
    name: row.title,
    artist: row.artist || artists[0]?.name,
    artistId: artists[0] && itemId('artist', artists[0].id),
    coverArt: row.cover_id ? itemId('cover', row.cover_id) : undefined,
    songCount: row.song_count,
    duration: hasFull ? row.full_seconds : row.preview_seconds,
    playCount: row.play_count,
    created: row.created_at,
    starred: row.liked_at ?? undefined,
    userRating: row.rating ?? undefined,
    played: row.played_at ?? undefined,
    year,
    genre: row.genres[0],
    genres: row.genres.map((name) => ({ name })),
    artists: artists.map(toArtistRef),
    displayArtist: row.artist,
    releaseTypes: [releaseTypes[row.kind]],
    isCompilation: row.kind === 'compilation',
    explicitStatus: row.is_explicit ? 'explicit' : '',
    recordLabels: row.label ? [{ name: row.label }] : [],
    originalReleaseDate: { year, month, day },
    releaseDate: { year, month, day },
  }
}

/** An album as older Subsonic calls return it: as a folder of songs. */
export function toFolder(album: Tree): Tree {
  const { id, name, artist, artistId, coverArt, created, starred, userRating } = album
  const { year, genre, duration, playCount, played, explicitStatus } = album
  return {
    id,
    parent: artistId,
    isDir: true,
    title: name,
    album: name,
    artist,
    artistId,
    albumId: id,
    coverArt,
    created,
    starred,
    userRating,
    year,
    genre,
    duration,
    playCount,
    played,
    explicitStatus,
    isVideo: false,
    mediaType: 'album',
  }
}
