// Songs in the Subsonic API. Free members get the duration and size of the preview, because that is what they can play.
import { sql, type RawBuilder } from 'kysely'
import { renditionMime } from '../../platform/ffmpeg/renditions.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import { getRestriction, type Audience } from '#contract/fields/availability.ts'
import { isAvailable, getPremiumMarks } from '../availability/availability.ts'
import { canStreamFull, getPremiumReason, getStreamQuality } from '../billing/entitlements.ts'
import type { Tree } from './response.ts'
import { selectTrackCategories } from '../tracks/track-query.ts'
import { albumOf, genreOrCategory, isLeading } from './catalogue.ts'
import { itemId } from './item-ids.ts'

interface File {
  bytes: number
  seconds: number
}

interface ArtistName {
  id: string
  name: string
}

export interface SongRow {
  id: string
  title: string
  artist: string
  artists: ArtistName[]
  album_id: string | null
  album_title: string | null
  album_artist: string | null
  album_artists: ArtistName[] | null
  disc: number | null
  position: number | null
  released_on: string
  genre: string | null
  categories: string[]
  moods: string[]
  tags: string[]
  explicit: boolean
  ai_disclosure: AiDisclosure
  ai_tool: string | null
  loudness_lufs: number | null
  true_peak_dbtp: number | null
  cover_id: string | null
  created_at: string
  audience: Audience
  early_access_until: string | null
  preview: File | null
  standard: File | null
  high: File | null
  liked_at: string | null
  rating: number | null
  /** The duration of the full track. */
  full_seconds: number
  play_count: number
  played_at: string | null
}

/** `chosen` selects the ids of the tracks to read, and their position as `place`. Hidden songs are left out. */
export async function readSongs(ctx: MemberContext, chosen: RawBuilder<unknown>): Promise<Tree[]> {
  const rows = await readSongRows(ctx, chosen)
  return rows.map((row) => toSong(ctx, row))
}

export async function readSongRows(
  { db, actor: { user_id } }: MemberContext,
  chosen: RawBuilder<unknown>,
): Promise<SongRow[]> {
  const { rows } = await sql<SongRow>`
    with chosen as materialized (${chosen}),
    heard as (
      select p.track_id, count(*) filter (where p.counted_at is not null)::int as play_count, max(p.reported_at) as played_at
        from plays p where p.user_id = ${user_id} and p.track_id in (select id from chosen) group by p.track_id)
    select t.id, t.title, t.artist, credits.artists, album.id as album_id, album.title as album_title,
           album.artist as album_artist, makers.artists as album_artists, album.disc, album.position,
           coalesce(album.released_on, (t.created_at at time zone 'UTC')::date)::text as released_on,
           ${genreOrCategory} as genre, ${selectTrackCategories('t')} as categories, t.moods, t.tags, t.explicit, t.ai_disclosure, t.ai_tool, t.loudness_lufs,
           t.true_peak_dbtp, t.cover_id, t.created_at, t.audience, t.early_access_until, t.duration as full_seconds, files.preview, files.standard, files.high,
           l.created_at as liked_at, rated.rating, coalesce(heard.play_count, 0) as play_count, heard.played_at
      from chosen join tracks t on t.id = chosen.id and ${isAvailable('t')}
      left join lateral ${albumOf('t')} album on true
      left join lateral (
        select json_agg(json_build_object('id', a.id, 'name', coalesce(c.credited_as, a.name)) order by c.position) as artists
          from track_credits c join artists a on a.id = c.artist_id
         where c.track_id = t.id and ${isLeading}) credits on true
      left join lateral (
        select json_agg(json_build_object('id', a.id, 'name', a.name) order by c.position) as artists
          from release_credits c join artists a on a.id = c.artist_id where c.release_id = album.id) makers on true
      left join lateral (
        select (array_agg(f.file) filter (where f.kind = 'preview'))[1] as preview,
               (array_agg(f.file) filter (where f.kind = 'standard'))[1] as standard,
               (array_agg(f.file) filter (where f.kind = 'high'))[1] as high
          from (select kind, json_build_object('bytes', byte_size, 'seconds', duration_seconds) as file
                  from renditions where track_id = t.id) f) files on true
      left join likes l on l.track_id = t.id and l.user_id = ${user_id}
      left join app_ratings rated on rated.item_id = t.id and rated.user_id = ${user_id}
      left join heard on heard.track_id = t.id
     order by chosen.place, t.id`.execute(db.query)
  return rows
}

export function toSong({ actor, now }: Pick<MemberContext, 'actor' | 'now'>, row: SongRow): Tree {
  const reason = getPremiumReason(actor, getPremiumMarks(row), now())
  const isPreview = !canStreamFull(actor, row.preview !== null, reason)
  const file = isPreview ? row.preview : (row[getStreamQuality(actor)] ?? row.standard)
  const artists = row.artists ?? []
  const makers = row.album_artists ?? artists.slice(0, 1)
  const albumId = itemId('album', row.album_id ?? row.id)
  const album = row.album_title ?? row.title
  const genres = [...new Set([row.genre, ...row.categories].filter((name) => name !== null))]
  return {
    id: itemId('song', row.id),
    parent: albumId,
    isDir: false,
    title: row.title,
    album,
    artist: row.artist,
    track: row.position ?? 1,
    discNumber: row.disc ?? 1,
    year: Number(row.released_on.slice(0, 4)),
    genre: row.genre ?? undefined,
    coverArt: row.cover_id ? itemId('cover', row.cover_id) : undefined,
    duration: row.full_seconds,
    ...(file && describeFile(file)),
    path: [row.album_artist ?? row.artist, album, `${row.title}.m4a`].map(toFileName).join('/'),
    isVideo: false,
    type: 'music',
    mediaType: 'song',
    created: row.created_at,
    albumId,
    artistId: artists[0] && itemId('artist', artists[0].id),
    starred: row.liked_at ?? undefined,
    userRating: row.rating ?? undefined,
    playCount: row.play_count,
    played: row.played_at ?? undefined,
    comment: describeMaking(row),
    genres: genres.map((name) => ({ name })),
    artists: artists.map(toArtistRef),
    displayArtist: row.artist,
    albumArtists: makers.map(toArtistRef),
    displayAlbumArtist: row.album_artist ?? row.artist,
    // Moods, and also tags, because earlier versions returned the tags in this field.
    moods: [...new Set([...row.moods, ...row.tags])],
    // Sent as groupings, because the API has no fields for AI disclosure and Premium.
    groupings: [...makingMarks[row.ai_disclosure], ...premiumMarks(row, now())],
    explicitStatus: row.explicit ? 'explicit' : '',
    replayGain: describeLoudness(row),
  }
}

export const toArtistRef = ({ id, name }: ArtistName): Tree => ({ id: itemId('artist', id), name })

function describeFile({ bytes, seconds }: File): Tree {
  return {
    duration: Math.round(seconds),
    size: bytes,
    suffix: 'm4a',
    contentType: renditionMime,
    bitRate: seconds > 0 ? Math.round((bytes * 8) / seconds / 1000) : undefined,
  }
}

const makingMarks: Record<AiDisclosure, string[]> = {
  human: [],
  ai_assisted: ['AI-assisted'],
  ai_generated: ['AI-generated'],
}

function premiumMarks(row: SongRow, now: Date): string[] {
  const reason = getRestriction(getPremiumMarks(row), now.getTime())?.reason
  if (reason === undefined) return []
  return [reason === 'early_access' ? 'Early access' : 'Premium only']
}

function describeMaking({ ai_disclosure, ai_tool }: SongRow): string | undefined {
  const words: Record<string, string> = {
    ai_assisted: 'Made with the help of AI',
    ai_generated: 'AI-generated',
  }
  const made = words[ai_disclosure]
  return made && ai_tool ? `${made} (${ai_tool})` : made
}

/** Converts loudness to ReplayGain 2.0, which has a target of -18 LUFS. The peak is a linear ratio. */
function describeLoudness({ loudness_lufs, true_peak_dbtp }: SongRow): Tree | undefined {
  if (loudness_lufs === null) return undefined
  const trackPeak = true_peak_dbtp === null ? undefined : 10 ** (true_peak_dbtp / 20)
  return { trackGain: -18 - loudness_lufs, trackPeak }
}

const toFileName = (text: string) => text.replaceAll(/[/\\]/g, '-')
