// The database of downloads in IndexedDB, for the page and the service worker. Invariant: everything in it belongs to
// one user, and a track has a row only once its file is complete.
import type { Playlist } from '#contract/playlists.ts'
import type { ReleaseDetail } from '#contract/releases.ts'
import type { Tier } from '#contract/plans.ts'
import type { Site } from '#contract/site.ts'
import type { TrackDetail } from '#contract/tracks.ts'
import { createDatabase, done } from '../browser/indexed-db.ts'

/** The fields of the signed-in user that are needed offline. Contains no secrets. */
export interface OfflineUser {
  user_id: string
  display_name: string
  subscription_tier: Tier
  /**
   * False after the server reported that nobody is signed in. Downloads then stay locked until this user signs in
   * again.
   */
  is_signed_in: boolean
  /** When the lease ends, in milliseconds on this device's clock. */
  lease_ends_ms: number
  /** The latest time this device has seen, so that setting its clock back does not extend the lease. */
  latest_ms: number
}

export interface DownloadedPlaylist {
  id: string
  playlist: Playlist
  /** Ids of the tracks in order, including those not yet downloaded. */
  track_ids: string[]
  /** Set if the playlist represents a release. */
  release?: DownloadedRelease
}

export interface DownloadedRelease extends Omit<ReleaseDetail, 'tracks'> {
  /** Disc and position of each of the `track_ids`, in the same order. */
  places: { disc: number; position: number }[]
}

export interface DownloadedTrack {
  id: string
  track: TrackDetail
  bytes: number
}

interface Facts {
  person: OfflineUser
  /** All of the user's playlists. While offline, My Playlists disables those that are not downloaded. */
  own_playlists: Playlist[]
  site: Site
}

interface Rows {
  playlists: DownloadedPlaylist
  tracks: DownloadedTrack
}

const stores = ['facts', 'playlists', 'tracks'] as const
const { open, run } = createDatabase('velour-offline', stores)

export const hasIndexedDb = typeof indexedDB !== 'undefined'

export function readFact<Name extends keyof Facts>(name: Name): Promise<Facts[Name] | undefined> {
  return run('facts', 'readonly', (store) => store.get(name) as IDBRequest<Facts[Name] | undefined>)
}

export async function writeFact<Name extends keyof Facts>(
  name: Name,
  value: Facts[Name],
): Promise<void> {
  await run('facts', 'readwrite', (store) => store.put(value, name))
}

export function readRow<Name extends keyof Rows>(
  name: Name,
  id: string,
): Promise<Rows[Name] | undefined> {
  return run(name, 'readonly', (store) => store.get(id) as IDBRequest<Rows[Name] | undefined>)
}

export function readRows<Name extends keyof Rows>(name: Name): Promise<Rows[Name][]> {
  return run(name, 'readonly', (store) => store.getAll() as IDBRequest<Rows[Name][]>)
}

export async function writeRow<Name extends keyof Rows>(
  name: Name,
  row: Rows[Name],
): Promise<void> {
  await run(name, 'readwrite', (store) => store.put(row, row.id))
}

/**
 * Replaces a row, unless it has been deleted.
 * @returns whether the row existed
 */
export async function replaceRow<Name extends keyof Rows>(
  name: Name,
  row: Rows[Name],
): Promise<boolean> {
  const key = await run(name, 'readwrite', (store) => {
    const found = store.getKey(row.id)
    found.addEventListener('success', () => {
      if (found.result !== undefined) store.put(row, row.id)
    })
    return found
  })
  return key !== undefined
}

export async function deleteRow(name: keyof Rows, id: string): Promise<void> {
  await run(name, 'readwrite', (store) => store.delete(id))
}

/** Deletes all rows of all tables in one transaction. */
export async function deleteEverything(): Promise<void> {
  const database = await open()
  const transaction = database.transaction(stores, 'readwrite')
  for (const name of stores) transaction.objectStore(name).clear()
  await done(transaction)
}
