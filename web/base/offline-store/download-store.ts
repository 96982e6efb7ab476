// The state of downloads for components and the player. The database is authoritative; each window reads it again when
// another one has changed it.
import { create } from 'zustand'
import { getDownloadedAudioUrl } from './download-files.ts'
import { canUseDownloads } from './lease.ts'
import {
  hasIndexedDb,
  readFact,
  readRows,
  type OfflineUser,
  type DownloadedPlaylist,
} from './offline-db.ts'

/**
 * Why downloads have stopped: no space on the device, no response from the server, or storage blocked by the browser.
 */
export type DownloadProblem = 'full' | 'waiting' | 'failed'

export interface DownloadState {
  /** The user who owns the downloads; null while the downloads are locked. */
  person: OfflineUser | null
  playlists: readonly DownloadedPlaylist[]
  /** Size in bytes of every fully downloaded track. */
  trackBytes: ReadonlyMap<string, number>
  /** Bytes received so far of each file in progress. */
  arrivingBytes: ReadonlyMap<string, number>
  problem: DownloadProblem | null
}

export const noDownloads: DownloadState = {
  person: null,
  playlists: [],
  trackBytes: new Map(),
  arrivingBytes: new Map(),
  problem: null,
}

export const useDownloads = create<DownloadState>(() => noDownloads)

const channelName = 'velour-offline'
export type DownloadMessage = 'changed' | 'forgotten'

/** Reads the database again. Locked or expired downloads are not shown. */
export async function loadDownloads(): Promise<void> {
  if (!hasIndexedDb) return
  const person = await readFact('person')
  if (!canUseDownloads(person, Date.now())) {
    useDownloads.setState(noDownloads)
    return
  }
  const [playlists, tracks] = await Promise.all([readRows('playlists'), readRows('tracks')])
  useDownloads.setState({
    person,
    playlists: playlists.toSorted((a, b) => a.playlist.title.localeCompare(b.playlist.title)),
    trackBytes: new Map(tracks.map(({ id, bytes }) => [id, bytes])),
  })
}

/** Returns the URL of a track's file on this device; null if the file must come from the server. */
export function findDownloadedAudioUrl(trackId: string): string | null {
  const { person, trackBytes } = useDownloads.getState()
  // On the very first page load the service worker does not control the page yet.
  const isServed = 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null
  return person && isServed && trackBytes.has(trackId)
    ? getDownloadedAudioUrl(person.user_id, trackId)
    : null
}

/** Returns the ids of all tracks that downloads contain, including tracks that are not on this device yet. */
export function wantedTrackIds(state = useDownloads.getState()): Set<string> {
  return new Set(state.playlists.flatMap(({ track_ids }) => track_ids))
}

/** Notifies the other windows of this browser about a change of the downloads. */
export function announceDownloads(message: DownloadMessage): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(message)
  channel.close()
}

/** Subscribes to these notifications from other windows. */
export function watchDownloads(onMessage: (message: DownloadMessage) => void): void {
  new BroadcastChannel(channelName).addEventListener('message', ({ data }) =>
    onMessage(data as DownloadMessage),
  )
}
