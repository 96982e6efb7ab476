// Search. An empty query lists everything in pages: apps copy the whole catalogue with it.
import { sql, type RawBuilder } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import { searchMaxLength } from '#contract/tracks.ts'
import { matchesFolded, matchRank } from '../../platform/db/search-pattern.ts'
import { readAlbums, toFolder } from './albums.ts'
import { readArtists, toArtist, toArtistFolder } from './artists.ts'
import { albums, isHeard } from './catalogue.ts'
import { inOrder, maxOffset, maxPage } from './lists.ts'
import { readSongs } from './songs.ts'
import type { Answering, SubsonicCall } from './subsonic-call.ts'
import { SubsonicError } from './subsonic-error.ts'

async function search({ ctx, parameters }: SubsonicCall) {
  // `""` is how some apps spell an empty query; others put quotes or a star around the words.
  const given = parameters.text('query')
  if (given === undefined) {
    throw new SubsonicError('missing_parameter', 'Required parameter is missing: query')
  }
  const q = given.replaceAll(/["*]/g, '').trim().slice(0, searchMaxLength)
  const page = (name: string) => {
    const limit = parameters.integer(`${name}Count`, { or: 20, max: maxPage })
    const offset = parameters.integer(`${name}Offset`, { or: 0, max: maxOffset })
    return sql`limit ${limit} offset ${offset}`
  }
  // Best matches first. Without a query by id, which an index has in order.
  const sorted = (alias: string): RawBuilder<unknown> =>
    q === ''
      ? sql`order by ${sql.ref(`${alias}.id`)}`
      : sql`and ${matchesFolded(`${alias}.search_folded`, q)}
            order by ${matchRank(`${alias}.search_folded`, q)} desc, ${sql.ref(`${alias}.id`)}`
  const [artist, album, song] = await Promise.all([
    readArtists(
      ctx,
      inOrder(sql`select a.id from artists a where ${isHeard} ${sorted('a')} ${page('artist')}`),
    ),
    readAlbums(
      ctx,
      inOrder(sql`select x.id from ${albums} x where true ${sorted('x')} ${page('album')}`),
    ),
    readSongs(
      ctx,
      inOrder(
        sql`select t.id from tracks t where ${isAvailable('t')} ${sorted('t')} ${page('song')}`,
      ),
    ),
  ])
  return { artist, album, song }
}

export const search3: Answering = async (call) => {
  const { artist, ...rest } = await search(call)
  return { searchResult3: { artist: artist.map(toArtist), ...rest } }
}
export const search2: Answering = async (call) => {
  const { artist, album, song } = await search(call)
  return { searchResult2: { artist: artist.map(toArtistFolder), album: album.map(toFolder), song } }
}
