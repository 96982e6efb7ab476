// Subsonic calls that list albums and songs. Every order is total, so that pages neither repeat nor skip items.
import { sql, type RawBuilder } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import type { Tree } from './response.ts'
import { readAlbums, toFolder } from './albums.ts'
import { readArtists, toArtist, toArtistFolder } from './artists.ts'
import {
  albumIds,
  albumOf,
  genreOrCategory,
  isAlbumId,
  isLeading,
  selectAlbumPage,
  type AlbumOrder,
  type AlbumPage,
  songsOfRelease,
} from './catalogue.ts'
import { isInCategory } from '../tracks/track-query.ts'
import { requireUuid } from './item-ids.ts'
import type { Parameters } from './parameters.ts'
import { readSongs } from './songs.ts'
import type { CallHandler, SubsonicCall } from './subsonic-call.ts'
import { SubsonicError } from './subsonic-error.ts'

type Sql = RawBuilder<unknown>

export const maxPage = 500
export const maxOffset = 10_000_000

/** Adds the row number, as `place`, to the rows of `source`. */
export const numberRows = (source: Sql): Sql =>
  sql`select id, row_number() over () as place from (${source}) sorted`

export const getAlbumList2: CallHandler = async (call) => ({
  albumList2: { album: await listAlbums(call) },
})
export const getAlbumList: CallHandler = async (call) => ({
  albumList: { album: (await listAlbums(call)).map(toFolder) },
})

export async function listAlbums({
  ctx,
  parameters,
}: Pick<SubsonicCall, 'ctx' | 'parameters'>): Promise<Tree[]> {
  const size = parameters.integer('size', { or: 10, max: maxPage })
  const offset = parameters.integer('offset', { or: 0, max: maxOffset })
  return readAlbums(ctx, numberRows(selectAlbums(ctx, parameters, { size, offset })))
}

const orders: Record<string, AlbumOrder> = {
  newest: {
    columns: ['created_at'],
    by: ({ created_at, id }) => sql`${created_at} desc, ${id} desc`,
  },
  alphabeticalByName: { columns: ['title'], by: ({ title, id }) => sql`lower(${title}), ${id}` },
  alphabeticalByArtist: {
    columns: ['artist', 'title'],
    by: ({ artist, title, id }) => sql`lower(${artist}), lower(${title}), ${id}`,
  },
}

function selectAlbums(
  { actor: { user_id } }: SubsonicCall['ctx'],
  parameters: Parameters,
  page: { size: number; offset: number },
): Sql {
  const kind = parameters.required('type')
  const order = orders[kind]
  if (order) return selectAlbumPage({ order, ...page })
  if (kind === 'byYear') return selectAlbumPage({ ...albumsByYear(parameters), ...page })
  if (kind === 'byGenre') {
    const where = albumsByGenre(parameters.required('genre'))
    return selectAlbumPage({ order: orders.alphabeticalByName!, where, ...page })
  }
  const list = kind === 'random' ? randomAlbums : albumsOfPerson(kind, user_id)
  if (!list) throw new SubsonicError('generic', 'Unknown type of album list')
  return sql`${list} limit ${page.size} offset ${page.offset}`
}

const randomAlbums = sql`select x.id from ${albumIds} x order by random()`

/** Selects albums that the person rated, played or liked. */
function albumsOfPerson(kind: string, userId: string): Sql | null {
  switch (kind) {
    case 'highest':
      return sql`select g.item_id as id from app_ratings g where g.user_id = ${userId} and ${isAlbumId(sql`g.item_id`)}
                  order by g.rating desc, g.item_id`
    case 'frequent':
      return sql`${playedAlbums(userId)} order by count(*) filter (where p.counted_at is not null) desc, 1`
    case 'recent':
      return sql`${playedAlbums(userId)} order by max(p.reported_at) desc, 1`
    case 'starred':
      return sql`select l.id from ${likedAlbums(userId)} l where ${isAlbumId(sql`l.id`)} order by l.created_at desc, l.id`
    default:
      return null
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

/** Selects albums by year. If the first year is after the second, the order is reversed. */
function albumsByYear(parameters: Parameters): Pick<AlbumPage, 'order' | 'where'> {
  const year = (name: string) => {
    parameters.required(name)
    return parameters.integer(name, { or: 0, min: 1, max: 9999 })
  }
  const [from, to] = [year('fromYear'), year('toYear')]
  const [first, last] = [Math.min(from, to), Math.max(from, to)]
  const direction = sql.raw(from <= to ? 'asc' : 'desc')
  return {
    order: {
      columns: ['released_on', 'created_at'],
      by: ({ released_on, created_at, id }) =>
        sql`${released_on} ${direction}, ${created_at} ${direction}, ${id} ${direction}`,
    },
    where: {
      release: sql`r.released_on between make_date(${first}, 1, 1) and make_date(${last}, 12, 31)`,
      single: sql`t.created_at >= make_timestamptz(${first}, 1, 1, 0, 0, 0, 'UTC')
              and t.created_at < make_timestamptz(${last + 1}, 1, 1, 0, 0, 0, 'UTC')`,
    },
  }
}

const isOfGenre = (genre: string): Sql =>
  sql`(${genreOrCategory} = ${genre} or ${isInCategory(genre)})`

function albumsByGenre(genre: string) {
  return {
    release: sql`exists (select from (select s.* from ${songsOfRelease}) t where ${isOfGenre(genre)})`,
    single: isOfGenre(genre),
  }
}

export const getRandomSongs: CallHandler = async ({ ctx, parameters }) => {
  const size = parameters.integer('size', { or: 10, max: maxPage })
  const genre = parameters.text('genre')
  const from = parameters.integer('fromYear', { or: 0, max: 9999 })
  const to = parameters.integer('toYear', { or: 9999, max: 9999 })
  const isOfYears =
    parameters.has('fromYear') || parameters.has('toYear')
      ? sql`extract(year from coalesce((select released_on from ${albumOf('t')} album), t.created_at::date))
            between ${from}::int and ${to}::int`
      : sql`true`
  const song = await readSongs(
    ctx,
    numberRows(sql`
      select t.id from tracks t where ${isAvailable('t')} and ${genre ? isOfGenre(genre) : sql`true`} and ${isOfYears}
       order by random(), t.id limit ${size}`),
  )
  return { randomSongs: { song } }
}

export const getSongsByGenre: CallHandler = async ({ ctx, parameters }) => {
  const genre = parameters.required('genre')
  const count = parameters.integer('count', { or: 10, max: maxPage })
  const offset = parameters.integer('offset', { or: 0, max: maxOffset })
  const song = await readSongs(
    ctx,
    numberRows(sql`
      select t.id from tracks t where ${isAvailable('t')} and ${isOfGenre(genre)}
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

export const getStarred2: CallHandler = async (call) => {
  const { artist, ...rest } = await readStarred(call)
  return { starred2: { artist: artist.map(toArtist), ...rest } }
}
export const getStarred: CallHandler = async (call) => {
  const { artist, album, song } = await readStarred(call)
  return { starred: { artist: artist.map(toArtistFolder), album: album.map(toFolder), song } }
}

/** The most played songs of an artist. The artist is given by name, or by id with the extension topSongsByArtistId. */
export const getTopSongs: CallHandler = async ({ ctx, parameters }) => {
  const count = parameters.integer('count', { or: 50, max: maxPage })
  const id = parameters.text('id') ?? parameters.text('artistId')
  const artist = id
    ? sql`a.id = ${requireUuid('artist', id)}::uuid`
    : sql`lower(a.name) = lower(${parameters.required('artist')})`
  const song = await readSongs(
    ctx,
    numberRows(sql`
      select t.id from tracks t
       where ${isAvailable('t')} and t.id in (
         select c.track_id from track_credits c join artists a on a.id = c.artist_id where ${artist} and ${isLeading})
       order by (select count(*) from plays p where p.track_id = t.id and p.counted_at is not null) desc,
                t.created_at desc, t.id limit ${count}`),
  )
  return { topSongs: { song } }
}
