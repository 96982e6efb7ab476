// What this device keeps, for components and the player; the database is the truth, and every window of
// this browser reads it again when another one has changed it.
import { create } from 'zustand'
import { keptAudioUrl } from './kept-files.ts'
import { mayUseKept } from './lease.ts'
import { canKeep, readFact, readRows, type KeptPerson, type KeptPlaylist } from './offline-db.ts'

/** Why downloads stand still: no room on the device, no answer from the server, or the browser keeps nothing. */
export type DownloadProblem = 'full' | 'waiting' | 'failed'

export interface KeptState {
  /** Null: nobody who may use what is here. */
  person: KeptPerson | null
  playlists: readonly KeptPlaylist[]
  /** Bytes of every track whose file is here as a whole. */
  trackBytes: ReadonlyMap<string, number>
  /** Bytes so far of the files that are on their way. */
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

export const useKept = create<KeptState>(() => nothingKept)

const channelName = 'velour-offline'
export type KeptMessage = 'changed' | 'forgotten'

/** Reads the database again. What is locked or over shows as nothing. */
export async function loadKept(): Promise<void> {
  if (!canKeep) return
  const person = await readFact('person')
  if (!mayUseKept(person, Date.now())) {
    useKept.setState(nothingKept)
    return
  }
  const [playlists, tracks] = await Promise.all([readRows('playlists'), readRows('tracks')])
  useKept.setState({
    person,
    playlists: playlists.toSorted((a, b) => a.playlist.title.localeCompare(b.playlist.title)),
    trackBytes: new Map(tracks.map(({ id, bytes }) => [id, bytes])),
  })
}

/** Address of a track's file on this device; null where it has to come from the server. */
export function keptAudioUrlOf(trackId: string): string | null {
  const { person, trackBytes } = useKept.getState()
  // The first page of all is not yet served by the worker.
  const isServed = 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null
  return person && isServed && trackBytes.has(trackId)
    ? keptAudioUrl(person.user_id, trackId)
    : null
}

/** Ids of all tracks that kept playlists hold, here or not. */
export function wantedTrackIds(state = useKept.getState()): Set<string> {
  return new Set(state.playlists.flatMap(({ track_ids }) => track_ids))
}

/** Tells the other windows. */
export function announceKept(message: KeptMessage): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(message)
  channel.close()
}

/** Hears what other windows changed. */
export function hearKept(hear: (message: KeptMessage) => void): void {
  new BroadcastChannel(channelName).addEventListener('message', ({ data }) =>
    hear(data as KeptMessage),
  )
}
