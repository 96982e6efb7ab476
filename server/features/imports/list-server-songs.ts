// Lists all songs of another server with their metadata, which is untrusted input.
import { ImportError } from './archive-error.ts'
import { maxEntries } from './archive-limits.ts'
import type { ServerClient } from './server-client.ts'
import { readFields, type Fields } from './server-fields.ts'
import { UnavailableItemError } from './server-error.ts'
import { readSong, type Album, type ServerSong } from './server-song.ts'

const pageSize = 500
const maxAlbums = maxEntries.files

/** `checkpoint` is called before each request. It throws if the listing should end. */
export async function listRemoteSongs(
  client: ServerClient,
  checkpoint: () => Promise<void>,
): Promise<ServerSong[]> {
  await checkpoint()
  await client.call('ping')
  const albums = await listAlbums(client, checkpoint)
  const found = new Map<string, ServerSong>()
  const add = (fields: Fields) => {
    const song = readSong(fields, albums)
    if (song && !found.has(song.id)) found.set(song.id, song)
    if (found.size > maxEntries.files) throw new ImportError('The server has too many songs.')
  }
  // An empty search query lists all songs. Older servers return nothing for it.
  for await (const songs of readPages(async (offset) => {
    await checkpoint()
    const counts = { artistCount: 0, albumCount: 0, songCount: pageSize, songOffset: offset }
    const response = await client
      .call('search3', { query: '', ...counts })
      .catch((error: unknown) => {
        if (error instanceof UnavailableItemError) return null
        throw error
      })
    return readFields(response?.searchResult3).list('song')
  })) {
    songs.forEach(add)
  }
  if (found.size === 0) {
    for (const id of albums.keys()) {
      await checkpoint()
      const { album } = await client.call('getAlbum', { id })
      readFields(album).list('song').forEach(add)
    }
  }
  return sort([...found.values()], [...albums.keys()])
}

async function listAlbums(
  client: ServerClient,
  checkpoint: () => Promise<void>,
): Promise<Map<string, Album>> {
  const albums = new Map<string, Album>()
  const list = async (offset: number) => {
    await checkpoint()
    const { albumList2 } = await client.call('getAlbumList2', {
      type: 'alphabeticalByName',
      size: pageSize,
      offset,
    })
    return readFields(albumList2).list('album')
  }
  for await (const page of readPages(list)) {
    for (const fields of page) {
      const album = readFields(fields)
      const id = album.id('id')
      if (id === undefined) continue
      const label = album.list('recordLabels').map((one) => readFields(one).text('name'))[0]
      albums.set(id, { label, artist: album.text('displayArtist') ?? album.text('artist') })
    }
    if (albums.size > maxAlbums) throw new ImportError('The server has too many albums.')
  }
  return albums
}

/** Requests pages until a page is empty or contains nothing new, because some servers ignore the offset. */
async function* readPages(read: (offset: number) => Promise<Fields[]>): AsyncGenerator<Fields[]> {
  const seen = new Set<unknown>()
  for (let offset = 0; ;) {
    const page = await read(offset)
    const fresh = page.filter(({ id }) => !seen.has(id))
    if (fresh.length === 0) return
    for (const { id } of fresh) seen.add(id)
    yield fresh
    offset += page.length
  }
}

/** Sorts songs by album, in the order of the album list, then by disc and track number. */
function sort(songs: ServerSong[], albumIds: readonly string[]): ServerSong[] {
  const places = new Map(albumIds.map((id, place) => [id, place]))
  const placeOf = ({ albumId }: ServerSong) => places.get(albumId ?? '') ?? places.size
  return songs.toSorted(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      (a.details.fields.disc ?? 1) - (b.details.fields.disc ?? 1) ||
      (a.details.fields.trackNumber ?? 0) - (b.details.fields.trackNumber ?? 0),
  )
}
