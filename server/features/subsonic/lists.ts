// Lists of albums and songs. Every order is total, so that pages neither repeat nor skip.
import { sql, type RawBuilder } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import type { Tree } from './answer.ts'
import { readAlbums, toFolder } from './albums.ts'
import { readArtists, toArtist, toArtistFolder } from './artists.ts'
import { albumOf, albums, genreOf, isLeading } from './catalogue.ts'
import { isInCategory } from '../tracks/track-query.ts'
import { uuidOf } from './item-ids.ts'
import type { Parameters } from './parameters.ts'
import { readSongs } from './songs.ts'
import type { Answering, SubsonicCall } from './subsonic-call.ts'
import { SubsonicError } from './subsonic-error.ts'

type Sql = RawBuilder<unknown>

export const maxPage = 500
export const maxOffset = 10_000_000

/** Numbers what `source` selects, in its order. */
export const inOrder = (source: Sql): Sql =>
  sql`select id, row_number() over () as place from (${source}) sorted`

export const getAlbumList2: Answering = async (call) => ({
  albumList2: { album: await listAlbums(call) },
})
export const getAlbumList: Answering = async (call) => ({
  albumList: { album: (await listAlbums(call)).map(toFolder) },
})

async function listAlbums({ ctx, parameters }: SubsonicCall): Promise<Tree[]> {
  const size = parameters.integer('size', { or: 10, max: maxPage })
  const offset = parameters.integer('offset', { or: 0, max: maxOffset })
  const page = sql`${sortAlbums(ctx, parameters)} limit ${size} offset ${offset}`
  return readAlbums(ctx, inOrder(page))
}

function sortAlbums({ actor: { user_id } }: SubsonicCall['ctx'], parameters: Parameters): Sql {
  const kind = parameters.required('type')
  switch (kind) {
    case 'random':
      return sql`select x.id from ${albums} x order by random(), x.id`
    case 'newest':
      return sql`select x.id from ${albums} x order by x.created_at desc, x.id desc`
    case 'alphabeticalByName':
      return sql`select x.id from ${albums} x order by lower(x.title), x.id`
    case 'alphabeticalByArtist':
      return sql`select x.id from ${albums} x order by lower(x.artist), lower(x.title), x.id`
    case 'highest':
      return sql`select x.id from ${albums} x join app_ratings g on g.item_id = x.id and g.user_id = ${user_id}
                  order by g.rating desc, x.id`
    case 'frequent':
      return sql`${playedAlbums(user_id)} order by count(*) filter (where p.counted_at is not null) desc, 1`
    case 'recent':
      return sql`${playedAlbums(user_id)} order by max(p.reported_at) desc, 1`
    case 'starred':
      return sql`select x.id from ${albums} x join ${likedAlbums(user_id)} l on l.id = x.id
                  order by l.created_at desc, x.id`
    case 'byYear':
      return albumsByYear(parameters)
    case 'byGenre': {
      const genre = parameters.required('genre')
      return sql`select x.id from ${albums} x where x.id in (
          select coalesce(album.id, t.id) from tracks t left join lateral ${albumOf('t')} album on true
           where ${isAvailable('t')} and (${genreOf} = ${genre} or ${isInCategory(genre)}))
        order by lower(x.title), x.id`
    }
    default:
      throw new SubsonicError('generic', 'Unknown type of album list')
  }
}

function playedAlbums(userId: string): Sql {
  return sql`select coalesce(album.id, t.id) as id from plays p join tracks t on t.id = p.track_id and ${isAvailable('t')}
    left join lateral ${albumOf('t')} album on true where p.user_id = ${userId} group by 1`
}

function likedAlbums(userId: string): Sql {
  return sql`(select release_id as id, created_at from release_likes where user_id = ${userId}
    union all select track_id, created_at from likes where user_id = ${userId})`
}

/** From a later to an earlier year: backwards. */
function albumsByYear(parameters: Parameters): Sql {
  const year = (name: string) => {
    parameters.required(name)
    return parameters.integer(name, { or: 0, min: 1, max: 9999 })
  }
  const [from, to] = [year('fromYear'), year('toYear')]
  const direction = sql.raw(from <= to ? 'asc' : 'desc')
  return sql`select x.id from ${albums} x
    where extract(year from x.released_on) between ${Math.min(from, to)}::int and ${Math.max(from, to)}::int
    order by x.released_on ${direction}, x.id`
}

export const getRandomSongs: Answering = async ({ ctx, parameters }) => {
  const size = parameters.integer('size', { or: 10, max: maxPage })
  const genre = parameters.text('genre')
  const from = parameters.integer('fromYear', { or: 0, max: 9999 })
  const to = parameters.integer('toYear', { or: 9999, max: 9999 })
  const song = await readSongs(
    ctx,
    inOrder(sql`
      select t.id from tracks t left join lateral ${albumOf('t')} album on true
       where ${isAvailable('t')} ${genre ? sql`and (${genreOf} = ${genre} or ${isInCategory(genre)})` : sql``}
         and extract(year from coalesce(album.released_on, t.created_at::date)) between ${from}::int and ${to}::int
       order by random(), t.id limit ${size}`),
  )
  return { randomSongs: { song } }
}

export const getSongsByGenre: Answering = async ({ ctx, parameters }) => {
  const genre = parameters.required('genre')
  const count = parameters.integer('count', { or: 10, max: maxPage })
  const offset = parameters.integer('offset', { or: 0, max: maxOffset })
  const song = await readSongs(
    ctx,
    inOrder(sql`
      select t.id from tracks t where ${isAvailable('t')} and (${genreOf} = ${genre} or ${isInCategory(genre)})
       order by t.created_at desc, t.id desc limit ${count} offset ${offset}`),
  )
  return { songsByGenre: { song } }
}

async function readStarred({ ctx }: SubsonicCall) {
  const { user_id } = ctx.actor
  const [artist, album, song] = await Promise.all([
    readArtists(
      ctx,
      sql`select artist_id as id, row_number() over (order by created_at desc, artist_id) as place
            from artist_likes where user_id = ${user_id}`,
    ),
    readAlbums(
      ctx,
      sql`select id, row_number() over (order by created_at desc, id) as place from ${likedAlbums(user_id)} l`,
    ),
    readSongs(
      ctx,
      sql`select track_id as id, row_number() over (order by created_at desc, track_id) as place
            from likes where user_id = ${user_id}`,
    ),
  ])
  return { artist, album, song }
}

export const getStarred2: Answering = async (call) => {
  const { artist, ...rest } = await readStarred(call)
  return { starred2: { artist: artist.map(toArtist), ...rest } }
}
export const getStarred: Answering = async (call) => {
  const { artist, album, song } = await readStarred(call)
  return { starred: { artist: artist.map(toArtistFolder), album: album.map(toFolder), song } }
}

/** The most played songs of an artist; by name, or by id with the extension topSongsByArtistId. */
export const getTopSongs: Answering = async ({ ctx, parameters }) => {
  const count = parameters.integer('count', { or: 50, max: maxPage })
  const id = parameters.text('id') ?? parameters.text('artistId')
  const artist = id
    ? sql`a.id = ${uuidOf('artist', id)}::uuid`
    : sql`lower(a.name) = lower(${parameters.required('artist')})`
  const song = await readSongs(
    ctx,
    inOrder(sql`
      select t.id from tracks t
       where ${isAvailable('t')} and t.id in (
         select c.track_id from track_credits c join artists a on a.id = c.artist_id where ${artist} and ${isLeading})
       order by (select count(*) from plays p where p.track_id = t.id and p.counted_at is not null) desc,
                t.created_at desc, t.id limit ${count}`),
  )
  return { topSongs: { song } }
}
