// Downloads single songs and removes them.
import type { Profile } from '#contract/profiles.ts'
import { readRow } from '../../base/offline-store/offline-db.ts'
import { downloadedTracksId, createSongsRow } from '../../base/offline-store/downloaded-songs.ts'
import { removePlaylistDownload, storeDownload, shortenDownload } from './download-playlist.ts'

/** Runs one change at a time across all windows, because each reads and rewrites the list. */
const runExclusively = <Result>(work: () => Promise<Result>) =>
  navigator.locks.request('velour-offline-songs', work)

/** Starts the download, which continues in the background. Rejects with an ApiError. */
export function downloadTrack(profile: Profile, trackId: string): Promise<void> {
  return runExclusively(async () => {
    await storeDownload(profile, async () =>
      createSongsRow([...(await otherIds(trackId)), trackId]),
    )
  })
}

export function removeTrackDownload(trackId: string): Promise<void> {
  return runExclusively(async () => {
    const ids = await otherIds(trackId)
    if (ids.length === 0) return removePlaylistDownload(downloadedTracksId)
    return shortenDownload(createSongsRow(ids))
  })
}

async function otherIds(trackId: string): Promise<string[]> {
  const row = await readRow('playlists', downloadedTracksId)
  return row?.track_ids.filter((id) => id !== trackId) ?? []
}
