// Subsonic calls that return artists, albums, songs and genres by their tags.
import { sql } from 'kysely'
import { findRelatedArtists } from '../artists/artist-operations.ts'
import { isAvailable } from '../availability/availability.ts'
import type { Tree } from './response.ts'
import { readAlbums } from './albums.ts'
import {
  allArtists,
  ignoredArticles,
  indexByLetter,
  readArtists,
  toArtist,
  type ArtistRow,
} from './artists.ts'
import {
  albumOf,
  albumOfEachTrack,
  selectAlbumsOfArtist,
  genreOrCategory,
  songsOfRelease,
} from './catalogue.ts'
import { parseItemId, requireUuid } from './item-ids.ts'
import { readSongs } from './songs.ts'
import { buildPictureUrl } from './cover-urls.ts'
import type { CallHandler, SubsonicCall } from './subsonic-call.ts'
import { notFound } from './subsonic-error.ts'

/** The id of the only music folder, which contains the whole catalogue. */
export const musicFolderId = 1

export const getMusicFolders: CallHandler = ({ services }) => ({
  musicFolders: { musicFolder: [{ id: musicFolderId, name: services.branding().brand_name }] },
})

export const getArtists: CallHandler = async ({ ctx }) => {
  const rows = await readArtists(ctx, allArtists)
  return { artists: { ignoredArticles, index: indexByLetter(rows, toArtist) } }
}

export const getArtist: CallHandler = async ({ ctx, parameters }) => {
  const artist = await findArtist(ctx, requireUuid('artist', parameters.required('id')))
  return { artist: { ...toArtist(artist), album: await readAlbumsOf(ctx, artist.id) } }
}

/** Returns an artist's albums, newest first. */
export function readAlbumsOf(ctx: SubsonicCall['ctx'], artistId: string): Promise<Tree[]> {
  return readAlbums(
    ctx,
    sql`select own.id, row_number() over (order by coalesce(r.released_on, t.created_at::date) desc, own.id) as place
          from ${selectAlbumsOfArtist(sql`${artistId}::uuid`)} own
          left join releases r on r.id = own.id left join tracks t on t.id = own.id`,
  )
}

export async function findArtist(ctx: SubsonicCall['ctx'], uuid: string): Promise<ArtistRow> {
  const [artist] = await readArtists(ctx, sql`select ${uuid}::uuid as id, 1 as place`)
  if (!artist) throw notFound('Artist')
  return artist
}

export const getAlbum: CallHandler = async ({ ctx, parameters }) => {
  const uuid = requireUuid('album', parameters.required('id'))
  return { album: { ...(await findAlbum(ctx, uuid)), song: await readAlbumSongs(ctx, uuid) } }
}

export async function findAlbum(ctx: SubsonicCall['ctx'], uuid: string): Promise<Tree> {
  const [album] = await readAlbums(ctx, sql`select ${uuid}::uuid as id, 1 as place`)
  if (!album) throw notFound('Album')
  return album
}

/** Returns the songs of an album in the order of the release. A single contains one song. */
export function readAlbumSongs(ctx: SubsonicCall['ctx'], uuid: string): Promise<Tree[]> {
  return readSongs(
    ctx,
    sql`select song.id, row_number() over (order by song.disc, song.position) as place
          from releases r cross join lateral (select s.id, e.disc, e.position from ${songsOfRelease}) song
         where r.id = ${uuid}::uuid
        union all
        select t.id, 1 from tracks t left join lateral ${albumOf('t')} album on true
         where t.id = ${uuid}::uuid and album.id is null`,
  )
}

export const getSong: CallHandler = async ({ ctx, parameters }) => {
  const uuid = requireUuid('song', parameters.required('id'))
  const [song] = await readSongs(ctx, sql`select ${uuid}::uuid as id, 1 as place`)
  if (!song) throw notFound('Song')
  return { song }
}

export const getGenres: CallHandler = async ({ ctx }) => {
  const { rows } = await sql<{ value: string; songCount: number; albumCount: number }>`
    select genre as value, count(*)::int as "songCount", count(distinct album_id)::int as "albumCount"
      from (select ${genreOrCategory} as genre, coalesce(album.id, t.id) as album_id
              from tracks t left join ${albumOfEachTrack} album on album.track_id = t.id where ${isAvailable('t')}) songs
     where genre is not null group by genre order by lower(genre), genre`.execute(ctx.db.query)
  return { genres: { genre: rows.map((row) => ({ ...row })) } }
}

const artistInfo = async ({ ctx, parameters, services }: SubsonicCall): Promise<Tree> => {
  const parsed = parseItemId(parameters.required('id'))
  if (!parsed || parsed.kind === 'playlist' || parsed.kind === 'cover') throw notFound('Artist')
  const uuid = parsed.kind === 'artist' ? parsed.uuid : await artistOfItem(ctx, parsed.uuid)
  const { cover_id, biography } = await findArtist(ctx, uuid)
  const count = parameters.integer('count', { or: 20, min: 0, max: 100 })
  const ids = (await findRelatedArtists(ctx.db, uuid)).slice(0, count)
  const related = await readArtists(
    ctx,
    sql`select id, place from unnest(${ids}::uuid[]) with ordinality as related (id, place)`,
  )
  return {
    biography: biography ?? '',
    // These empty fields are included because some apps require them.
    musicBrainzId: '',
    lastFmUrl: '',
    ...(cover_id && buildPictureUrls(services, cover_id)),
    similarArtist: related.map(toArtist),
  }
}

export const getArtistInfo: CallHandler = async (call) => ({ artistInfo: await artistInfo(call) })
export const getArtistInfo2: CallHandler = async (call) => ({ artistInfo2: await artistInfo(call) })

/** The id of the first artist of a song or an album. */
async function artistOfItem(ctx: SubsonicCall['ctx'], uuid: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select artist_id as id, position from release_credits where release_id = ${uuid}::uuid
    union all select artist_id, position from track_credits where track_id = ${uuid}::uuid
     order by position limit 1`.execute(ctx.db.query)
  if (!rows[0]) throw notFound('Artist')
  return rows[0].id
}

const albumInfo: CallHandler = async ({ ctx, parameters, services }) => {
  const id = parameters.required('id')
  const parsed = parseItemId(id)
  const uuid =
    parsed?.kind === 'song' ? await albumOfSong(ctx, parsed.uuid) : requireUuid('album', id)
  const { coverArt } = await findAlbum(ctx, uuid)
  const { rows } = await sql<{ description: string | null }>`
    select description from releases where id = ${uuid}::uuid
    union all select description from tracks where id = ${uuid}::uuid`.execute(ctx.db.query)
  const cover = typeof coverArt === 'string' ? parseItemId(coverArt) : null
  const notes = rows[0]?.description ?? undefined
  return { albumInfo: { notes, ...(cover && buildPictureUrls(services, cover.uuid)) } }
}
export const getAlbumInfo = albumInfo
export const getAlbumInfo2 = albumInfo

async function albumOfSong(ctx: SubsonicCall['ctx'], uuid: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(album.id, t.id) as id from tracks t left join lateral ${albumOf('t')} album on true
     where t.id = ${uuid}::uuid`.execute(ctx.db.query)
  if (!rows[0]) throw notFound('Song')
  return rows[0].id
}

/** URLs of a picture that anyone can load without signing in. */
function buildPictureUrls({ config }: SubsonicCall['services'], coverId: string): Tree {
  return {
    smallImageUrl: buildPictureUrl(config, coverId, 128),
    mediumImageUrl: buildPictureUrl(config, coverId, 384),
    largeImageUrl: buildPictureUrl(config, coverId, 1024),
  }
}
