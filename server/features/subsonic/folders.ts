// The catalogue as folders for older Subsonic apps: artists contain albums, and albums contain songs.
import {
  allArtists,
  ignoredArticles,
  indexByLetter,
  readArtists,
  toArtistFolder,
} from './artists.ts'
import { toFolder } from './albums.ts'
import { findAlbum, findArtist, musicFolderId, readAlbumsOf, readAlbumSongs } from './browsing.ts'
import { parseItemId } from './item-ids.ts'
import type { CallHandler } from './subsonic-call.ts'
import { notFound } from './subsonic-error.ts'

/** The parameter `ifModifiedSince` is ignored, because one query reads everything. */
export const getIndexes: CallHandler = async ({ ctx }) => {
  const rows = await readArtists(ctx, allArtists)
  const index = indexByLetter(rows, toArtistFolder)
  return { indexes: { lastModified: ctx.now().getTime(), ignoredArticles, index } }
}

export const getMusicDirectory: CallHandler = async ({ ctx, parameters }) => {
  const id = parameters.required('id')
  if (id === String(musicFolderId)) {
    const rows = await readArtists(ctx, allArtists)
    const child = rows.map((row) => {
      const { name, ...rest } = toArtistFolder(row)
      return { ...rest, parent: id, isDir: true, title: name }
    })
    return { directory: { id, name: 'Artists', child } }
  }
  const parsed = parseItemId(id)
  if (parsed?.kind === 'artist') {
    const artist = await findArtist(ctx, parsed.uuid)
    const child = (await readAlbumsOf(ctx, parsed.uuid)).map(toFolder)
    return {
      directory: {
        ...toArtistFolder(artist),
        coverArt: undefined,
        parent: String(musicFolderId),
        child: child.map((album) => ({ ...album, parent: id })),
      },
    }
  }
  if (parsed?.kind !== 'album') throw notFound('Directory')
  const { name, artistId, starred, userRating, playCount } = await findAlbum(ctx, parsed.uuid)
  const child = await readAlbumSongs(ctx, parsed.uuid)
  return { directory: { id, parent: artistId, name, starred, userRating, playCount, child } }
}
