// Turns 'Download for Offline' on and off.
import { getOfflineLease } from '#contract/offline.ts'
import type { Playlist } from '#contract/playlists.ts'
import type { Profile } from '#contract/profiles.ts'
import { call } from '../../base/api/api.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { forgetKept, keepingSignal } from '../../base/offline-store/forget-kept.ts'
import { keepUpToDate, readPlaces, readReleasePlaces } from './keep-up-to-date.ts'
import { leaseEndMs } from '../../base/offline-store/lease.ts'
import { markKept } from '../../base/offline-store/kept-mark.ts'
import { announceKept, loadKept, useKept } from '../../base/offline-store/kept-store.ts'
import { canKeep, deleteRow, writeFact, writeRow } from '../../base/offline-store/offline-db.ts'

/** Whether this browser supports downloads: it needs a secure context and storage. */
export const canKeepMusic =
  canKeep && typeof caches !== 'undefined' && 'serviceWorker' in navigator && 'locks' in navigator

/** Starts the download, which continues in the background. Rejects with an ApiError. */
export async function keepPlaylist(
  profile: Profile,
  playlist: Playlist,
  isRelease = false,
): Promise<void> {
  const signal = keepingSignal()
  await renewLease(profile)
  markKept(true)
  const row = isRelease
    ? await readReleasePlaces(playlist.id, signal)
    : await readPlaces(playlist, signal)
  await writeRow('playlists', row)
  await loadKept()
  announceKept('changed')
  askForPersistence()
  void keepUpToDate().then((obstacle) => {
    if (obstacle === 'failed' || obstacle === 'full') showToast(failureToasts[obstacle])
  })
}

const failureToasts = {
  failed: {
    tone: 'destructive',
    title: 'Download failed',
    message: 'This browser could not keep the music. Reload the page and try again.',
  },
  full: {
    tone: 'destructive',
    title: 'Download failed',
    message: 'There is no room left on this device.',
  },
} as const

/** Requests persistent storage. A refusal, or a browser without it, changes nothing. */
function askForPersistence(): void {
  // Missing in WebKitGTK.
  const storage = navigator.storage as StorageManager | undefined
  void storage?.persist().catch(() => false)
}

export async function dropPlaylist(id: string): Promise<void> {
  const { playlists } = useKept.getState()
  if (playlists.every((kept) => kept.id === id)) return forgetKept()
  await deleteRow('playlists', id)
  await loadKept()
  useKept.setState({ problem: null })
  announceKept('changed')
  void keepUpToDate()
}

/** Stores who may play the downloads, and until when. Rejects with an ApiError. */
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
