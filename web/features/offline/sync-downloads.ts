// Syncs downloads with the current playlists: applies their changes, removes tracks that no playlist contains any
// longer, fetches missing ones. Invariant: only one window of this browser syncs at a time.
import {
  getPlaylist,
  listPlaylists,
  listPlaylistTracks,
  type Playlist,
} from '#contract/playlists.ts'
import { getRelease } from '#contract/releases.ts'
import { getTrack } from '#contract/tracks.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { isOnline } from '../../base/api/connection.ts'
import { fetchCover } from './fetch-track.ts'
import { releaseToDownload } from './downloaded-release.ts'
import { fetchMissing, type Obstacle } from './fetch-missing.ts'
import { getDownloadSignal } from '../../base/offline-store/remove-downloads.ts'
import {
  getDownloadedAudioUrl,
  getStoredCoverUrls,
  openFiles,
} from '../../base/offline-store/download-files.ts'
import { downloadedTracksId, createSongsRow } from '../../base/offline-store/downloaded-songs.ts'
import {
  announceDownloads,
  loadDownloads,
  useDownloads,
  wantedTrackIds,
} from '../../base/offline-store/download-store.ts'
import {
  deleteRow,
  readRow,
  readRows,
  replaceRow,
  writeFact,
  type DownloadedPlaylist,
} from '../../base/offline-store/offline-db.ts'

const pageSize = 1000
let isQueued = false

/**
 * Syncs the downloads with the server. The promise never rejects. The returned problem is also in the store, for
 * display.
 */
export async function syncDownloads(): Promise<Obstacle> {
  // One run that waits for the lock is enough, because it will read the newest state.
  if (isQueued) return null
  isQueued = true
  return navigator.locks.request('velour-offline', async () => {
    isQueued = false
    const signal = getDownloadSignal()
    const obstacle = await work(signal)
    const problem = obstacle === 'refused' ? null : obstacle
    if (!signal.aborted) useDownloads.setState({ problem })
    return obstacle
  })
}

/** Fetches the release with all of its tracks. Rejects with an ApiError. */
export async function fetchReleaseTracks(
  id: string,
  signal: AbortSignal,
): Promise<DownloadedPlaylist> {
  return releaseToDownload(await call(getRelease, { params: { id } }, { signal }))
}

/** Fetches the playlist with all of its tracks. Rejects with an ApiError. */
export async function fetchPlaylistTracks(
  playlist: Playlist,
  signal: AbortSignal,
): Promise<DownloadedPlaylist> {
  const track_ids: string[] = []
  for (let offset = 0, total = 1; offset < total; offset += pageSize) {
    const page = await call(
      listPlaylistTracks,
      { params: { id: playlist.id }, query: { offset, limit: pageSize } },
      { signal },
    )
    total = page.total
    track_ids.push(...page.data.map(({ track }) => track.id))
  }
  signal.throwIfAborted()
  return { id: playlist.id, playlist, track_ids }
}

async function work(signal: AbortSignal): Promise<Obstacle> {
  const { person } = useDownloads.getState()
  if (!person || !isOnline()) return null
  try {
    await followPlaylists(signal)
    await dropUnwanted(person.user_id)
    await loadDownloads()
  } catch (error) {
    if (signal.aborted) return null
    if (error instanceof ApiError) return error.status === 401 ? 'refused' : 'waiting'
    if (error instanceof TypeError) return 'waiting'
    if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full'
    console.error(error)
    return 'failed'
  }
  return fetchMissing(person.user_id, signal)
}

async function followPlaylists(signal: AbortSignal): Promise<void> {
  for (const { id, release, track_ids } of useDownloads.getState().playlists) {
    if (id === downloadedTracksId) {
      await followSongs(track_ids, signal)
      continue
    }
    try {
      const row = release
        ? await fetchReleaseTracks(id, signal)
        : await fetchPlaylistTracks(await call(getPlaylist, { params: { id } }, { signal }), signal)
      // `replaceRow` writes nothing if the download was turned off during the requests.
      const isKept = await replaceRow('playlists', row)
      if (isKept) await fetchCover(row.playlist.cover_url, signal)
    } catch (error) {
      const isGone = error instanceof ApiError && error.status === 404
      if (!isGone) throw error
      await deleteRow('playlists', id)
    }
  }
  const { data } = await call(listPlaylists, { query: { scope: 'own', limit: 200 } }, { signal })
  signal.throwIfAborted()
  await writeFact('own_playlists', data)
  await loadDownloads()
  announceDownloads('changed')
}

const songsCheckMs = 6 * 3600 * 1000
/** When each song was last requested. */
const songsChecked = new Map<string, number>()

/** Removes songs that are no longer published. No endpoint lists them, so each song is requested every few hours. */
async function followSongs(ids: readonly string[], signal: AbortSignal): Promise<void> {
  const now = performance.now()
  const gone = new Set<string>()
  for (const id of ids) {
    if (now - (songsChecked.get(id) ?? -Infinity) < songsCheckMs) continue
    await call(getTrack, { params: { id } }, { signal }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error
      gone.add(id)
    })
    songsChecked.set(id, now)
  }
  const row = await readRow('playlists', downloadedTracksId)
  const staying = row?.track_ids.filter((id) => !gone.has(id)) ?? []
  if (gone.size === 0) return
  if (staying.length === 0) await deleteRow('playlists', downloadedTracksId)
  else await replaceRow('playlists', createSongsRow(staying))
}

/**
 * Deletes what no download needs. Rows are deleted first: a file without a row is harmless, but a row without a file
 * would be played.
 */
async function dropUnwanted(userId: string): Promise<void> {
  const wanted = wantedTrackIds()
  const tracks = await readRows('tracks')
  const staying = tracks.filter(({ id }) => wanted.has(id))
  for (const { id } of tracks) if (!wanted.has(id)) await deleteRow('tracks', id)
  const covers = [
    ...staying.map(({ track }) => track.cover_url),
    ...useDownloads.getState().playlists.map(({ playlist }) => playlist.cover_url),
  ].flatMap((url) => (url ? getStoredCoverUrls(url) : []))
  const expected = new Set([
    ...covers,
    ...staying.map(({ id }) => getDownloadedAudioUrl(userId, id)),
  ])
  const files = await openFiles()
  for (const request of (await files?.keys()) ?? []) {
    if (!expected.has(new URL(request.url).pathname)) await files?.delete(request)
  }
}
