// Actions of a Subsonic app on a library and an account, with the third-party client `subsonic-api`.
import type SubsonicAPI from 'subsonic-api'
import { createApiClient, publishTrack, type ApiClient } from './api-client.ts'
import { measureDecodedSeconds } from './app-audio.ts'
import { insertTracks } from './many-tracks.ts'
import { makeWav } from './make-wav.ts'
import { makePerson, type Person } from './people.ts'
import type { Service } from './service.ts'

export interface AppUser extends Person {
  /** The device key, which replaces the password. */
  key: string
}

/** Length of the songs in seconds. Longer than a preview. */
export const songSeconds = 70
export const previewSeconds = 45

/**
 * Creates `count` songs without audio and two with audio. Returns the Subsonic ids of those two, and the number of all
 * songs.
 */
export async function fillLibrary(
  { dataDir }: Service,
  owner: ApiClient,
  count: number,
): Promise<{ audible: string[]; total: number }> {
  await insertTracks(dataDir, count)
  const audible: string[] = []
  for (const [title, frequency] of [
    ['Second Wave', 330],
    ['First Harbour', 262],
  ] as const) {
    const { id } = await publishTrack(owner, makeWav(songSeconds, frequency), {
      title,
      artist: 'Harbour Lights',
      lyrics: '[00:01.00] <00:01.00>First <00:02.00>light',
    })
    audible.push(`tr-${id}`)
  }
  return { audible, total: count + audible.length }
}

/** Creates an account, and a device key for it. */
export async function makeAppUser(
  { url }: Service,
  owner: ApiClient,
  name: string,
  tier: 'free' | 'premium',
): Promise<AppUser> {
  const person = await makePerson(owner, name, tier)
  const client = createApiClient(url)
  await client.signIn(person)
  const { body } = await client.send('POST', '/api/device-keys', { name: 'Phone' })
  return { ...person, key: (body['data'] as { key: string }).key }
}

const pageSize = 500

export interface Synced {
  songIds: string[]
  albumIds: string[]
  artistIds: string[]
}

/** Copies the library page by page, as apps do: they search for an empty text. */
export async function syncLibrary(app: SubsonicAPI): Promise<Synced> {
  const read = async (kind: 'song' | 'album' | 'artist') => {
    const ids: string[] = []
    for (let offset = 0; ; offset += pageSize) {
      const counts = { songCount: 0, albumCount: 0, artistCount: 0, [`${kind}Count`]: pageSize }
      const answer = await app.search3({ query: '', ...counts, [`${kind}Offset`]: offset })
      const page = answer.searchResult3[kind] ?? []
      ids.push(...page.map(({ id }) => id))
      if (page.length < pageSize) return ids
    }
  }
  return {
    songIds: await read('song'),
    albumIds: await read('album'),
    artistIds: await read('artist'),
  }
}

/** Finds all songs through their albums, as other apps do. */
export async function walkAlbums(app: SubsonicAPI, albumIds: readonly string[]): Promise<string[]> {
  const songs: string[] = []
  for (const id of albumIds) {
    const { album } = await app.getAlbum({ id })
    await app.getArtist({ id: album.artistId! })
    songs.push(...(album.song ?? []).map((song) => song.id))
  }
  return songs
}

/** Streams a song and reports it as played. Returns the duration of the audio and the one that was announced. */
export async function playSong(app: SubsonicAPI, id: string) {
  await app.scrobble({ id, submission: false })
  const response = await app.stream({ id })
  const seconds = await measureDecodedSeconds(new Uint8Array(await response.arrayBuffer()))
  await app.scrobble({ id, submission: true })
  const { song } = await app.getSong({ id })
  return { seconds, said: song.duration ?? 0, type: response.headers.get('content-type') }
}

/** Creates a playlist, edits it and deletes it. Returns the songs it had before the deletion. */
export async function walkPlaylist(app: SubsonicAPI, songIds: readonly string[]) {
  const [first, second, third] = songIds as [string, string, string]
  const { playlist } = await app.createPlaylist({ name: 'From the phone', songId: [first, second] })
  const { id } = playlist
  await app.updatePlaylist({ playlistId: id, name: 'On the road', songIdToAdd: [third] })
  await app.updatePlaylist({ playlistId: id, songIndexToRemove: [0] })
  const { playlist: changed } = await app.getPlaylist({ id })
  const { playlists } = await app.getPlaylists()
  const isListed = playlists.playlist?.some((one) => one.id === id) ?? false
  await app.deletePlaylist({ id })
  return { name: changed.name, isListed, songs: (changed.entry ?? []).map((song) => song.id) }
}
