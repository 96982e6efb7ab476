// The state of downloads for components and the player. The database is authoritative; each window reads it again when
// another one has changed it.
import { create } from 'zustand'
import { keptAudioUrl } from './kept-files.ts'
import { mayUseKept } from './lease.ts'
import {
  canKeep,
  readFact,
  readRows,
  type KeptPerson,
  type DownloadedPlaylist,
} from './offline-db.ts'

/**
 * Why downloads have stopped: no space on the device, no response from the server, or storage blocked by the browser.
 */
export type DownloadProblem = 'full' | 'waiting' | 'failed'

export interface KeptState {
  /** Null while the downloads are locked. */
  person: KeptPerson | null
  playlists: readonly DownloadedPlaylist[]
  /** Size in bytes of every fully downloaded track. */
  trackBytes: ReadonlyMap<string, number>
  /** Bytes received so far of each file in progress. */
  arrivingBytes: ReadonlyMap<string, number>
  problem: DownloadProblem | null
}

export const nothingKept: KeptState = {
  person: null,
  playlists: [],
  trackBytes: new Map(),
  arrivingBytes: new Map(),
  problem: null,
}

export const useDownloads = create<KeptState>(() => nothingKept)

const channelName = 'velour-offline'
export type KeptMessage = 'changed' | 'forgotten'

/** Reads the database again. Locked or expired downloads are not shown. */
export async function loadDownloads(): Promise<void> {
  if (!canKeep) return
  const person = await readFact('person')
  if (!mayUseKept(person, Date.now())) {
    useDownloads.setState(nothingKept)
    return
  }
  const [playlists, tracks] = await Promise.all([readRows('playlists'), readRows('tracks')])
  useDownloads.setState({
    person,
    playlists: playlists.toSorted((a, b) => a.playlist.title.localeCompare(b.playlist.title)),
    trackBytes: new Map(tracks.map(({ id, bytes }) => [id, bytes])),
  })
}

/** URL of a track's file on this device; null if it must come from the server. */
export function keptAudioUrlOf(trackId: string): string | null {
  const { person, trackBytes } = useDownloads.getState()
  // On the very first page load the service worker does not control the page yet.
  const isServed = 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null
  return person && isServed && trackBytes.has(trackId)
    ? keptAudioUrl(person.user_id, trackId)
    : null
}

/** Ids of all tracks in playlists kept on this device, including tracks that are not downloaded yet. */
export function wantedTrackIds(state = useDownloads.getState()): Set<string> {
  return new Set(state.playlists.flatMap(({ track_ids }) => track_ids))
}

/** Notifies the other windows. */
export function announceDownloads(message: KeptMessage): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(message)
  channel.close()
}

/** Subscribes to messages of other windows. */
export function watchKept(hear: (message: KeptMessage) => void): void {
  new BroadcastChannel(channelName).addEventListener('message', ({ data }) =>
    hear(data as KeptMessage),
  )
}
