// Search in the Subsonic API. An empty query lists everything in pages; apps use this to copy the full catalogue.
import { sql } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import { searchMaxLength } from '#contract/tracks.ts'
import { matchesFolded, matchRank } from '../../platform/db/search-pattern.ts'
import { readAlbums, toFolder } from './albums.ts'
import { readArtists, toArtist, toArtistFolder } from './artists.ts'
import { isVisibleArtist, selectAlbumPage } from './catalogue.ts'
import { numberRows, maxOffset, maxPage } from './lists.ts'
import { readSongs } from './songs.ts'
import type { CallHandler, SubsonicCall } from './subsonic-call.ts'
import { SubsonicError } from './subsonic-error.ts'

export async function searchCatalogue({
  ctx,
  parameters,
}: Pick<SubsonicCall, 'ctx' | 'parameters'>) {
  // Some apps send `""` as an empty query. Others put the words in quotes or add an asterisk.
  const given = parameters.text('query')
  if (given === undefined) {
    throw new SubsonicError('missing_parameter', 'Required parameter is missing: query')
  }
  const q = given.replaceAll(/["*]/g, '').trim().slice(0, searchMaxLength)
  const page = (name: string) => ({
    size: parameters.integer(`${name}Count`, { or: 20, max: maxPage }),
    offset: parameters.integer(`${name}Offset`, { or: 0, max: maxOffset }),
  })
  const [artists, albums, songs] = [page('artist'), page('album'), page('song')]
  const matches = (alias: string) =>
    q === '' ? sql`true` : matchesFolded(`${alias}.search_folded`, q)
  // Sorts by best match. Without a query, results are sorted by id, because an index has this order.
  const rank = (alias: string) =>
    q === '' ? sql`` : sql`${matchRank(`${alias}.search_folded`, q)} desc, `
  const sorted = (alias: string, { size, offset }: { size: number; offset: number }) =>
    sql`order by ${rank(alias)} ${sql.ref(`${alias}.id`)} limit ${size} offset ${offset}`
  const [artist, album, song] = await Promise.all([
    artists.size === 0
      ? []
      : readArtists(
          ctx,
          numberRows(
            sql`select a.id from artists a where ${isVisibleArtist} and ${matches('a')} ${sorted('a', artists)}`,
          ),
        ),
    albums.size === 0
      ? []
      : readAlbums(
          ctx,
          numberRows(
            selectAlbumPage({
              order: {
                columns: q === '' ? [] : ['search_folded'],
                by: ({ alias, id }) => sql`${rank(alias)} ${id}`,
              },
              where: { release: matches('r'), single: matches('t') },
              ...albums,
            }),
          ),
        ),
    songs.size === 0
      ? []
      : readSongs(
          ctx,
          numberRows(
            sql`select t.id from tracks t where ${isAvailable('t')} and ${matches('t')} ${sorted('t', songs)}`,
          ),
        ),
  ])
  return { artist, album, song }
}

export const search3: CallHandler = async (call) => {
  const { artist, ...rest } = await searchCatalogue(call)
  return { searchResult3: { artist: artist.map(toArtist), ...rest } }
}
export const search2: CallHandler = async (call) => {
  const { artist, album, song } = await searchCatalogue(call)
  return { searchResult2: { artist: artist.map(toArtistFolder), album: album.map(toFolder), song } }
}
