// Adds and removes downloads of playlists, and renews the lease.
import { getOfflineLease } from '#contract/offline.ts'
import type { Playlist } from '#contract/playlists.ts'
import type { Profile } from '#contract/profiles.ts'
import { call } from '../../base/api/api.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { removeAllDownloads, getDownloadSignal } from '../../base/offline-store/remove-downloads.ts'
import { syncDownloads, fetchPlaylistTracks, fetchReleaseTracks } from './sync-downloads.ts'
import { leaseEndMs } from '../../base/offline-store/lease.ts'
import { setDownloadMark } from '../../base/offline-store/download-mark.ts'
import {
  announceDownloads,
  loadDownloads,
  useDownloads,
} from '../../base/offline-store/download-store.ts'
import {
  deleteRow,
  replaceRow,
  writeFact,
  writeRow,
  type DownloadedPlaylist,
} from '../../base/offline-store/offline-db.ts'

/** Starts the download, which continues in the background. Rejects with an ApiError. */
export function downloadPlaylist(
  profile: Profile,
  playlist: Playlist,
  isRelease = false,
): Promise<void> {
  return storeDownload(profile, (signal) =>
    isRelease ? fetchReleaseTracks(playlist.id, signal) : fetchPlaylistTracks(playlist, signal),
  )
}

/** Stores the playlist that `read` returns, and starts to download its tracks. */
export async function storeDownload(
  profile: Profile,
  read: (signal: AbortSignal) => Promise<DownloadedPlaylist>,
): Promise<void> {
  const signal = getDownloadSignal()
  await renewLease(profile)
  setDownloadMark(true)
  await writeRow('playlists', await read(signal))
  await reloadDownloads()
  requestPersistence()
  startDownloads()
}

/** Reads the downloads from the database again, and notifies other windows. Call after a change of the downloads. */
async function reloadDownloads(): Promise<void> {
  await loadDownloads()
  announceDownloads('changed')
}

function startDownloads(): void {
  void syncDownloads().then((obstacle) => {
    if (obstacle === 'failed' || obstacle === 'full') showToast(failureToasts[obstacle])
  })
}

const failureToasts = {
  failed: {
    tone: 'destructive',
    title: 'Download failed',
    message: 'This browser could not save the download. Reload the page and try again.',
  },
  full: {
    tone: 'destructive',
    title: 'Download failed',
    message: 'There is not enough storage on this device. Remove a download or free up space.',
  },
} as const

/** Requests persistent storage. Downloads work even if the browser refuses it or doesn't support it. */
function requestPersistence(): void {
  // `navigator.storage` is absent in WebKitGTK.
  const storage = navigator.storage as StorageManager | undefined
  void storage?.persist().catch(() => false)
}

export async function removePlaylistDownload(id: string): Promise<void> {
  const { playlists } = useDownloads.getState()
  if (playlists.every((kept) => kept.id === id)) return removeAllDownloads()
  await deleteRow('playlists', id)
  await deleteUnreferenced()
}

/** Replaces a downloaded playlist with a version that has fewer tracks, and deletes files that are no longer needed. */
export async function shortenDownload(row: DownloadedPlaylist): Promise<void> {
  await replaceRow('playlists', row)
  await deleteUnreferenced()
}

async function deleteUnreferenced(): Promise<void> {
  await reloadDownloads()
  useDownloads.setState({ problem: null })
  void syncDownloads()
}

/** Stores which user may play the downloads, and when that permission ends. Rejects with an ApiError. */
export async function renewLease(profile: Profile): Promise<void> {
  const lease = await call(getOfflineLease, {})
  const nowMs = Date.now()
  await writeFact('person', {
    user_id: profile.id,
    display_name: profile.display_name || profile.email,
    subscription_tier: profile.subscription_tier,
    is_signed_in: true,
    lease_ends_ms: leaseEndMs(lease, nowMs),
    latest_ms: nowMs,
  })
}
