// Reads downloaded data in place of server responses while the server is unreachable. Each function returns undefined
// unless the data belongs to the signed-in user, the lease is valid, and this device has the data.
import type { Output } from '#contract/endpoint.ts'
import type { listPlaylistTracks, Playlist } from '#contract/playlists.ts'
import type { Profile } from '#contract/profiles.ts'
import type { ReleaseDetail } from '#contract/releases.ts'
import type { Site } from '#contract/site.ts'
import type { TrackDetail } from '#contract/tracks.ts'
import { downloadedTracksId } from './downloaded-songs.ts'
import { canUseDownloads } from './lease.ts'
import { hasIndexedDb, readFact, readRow, readRows, type OfflineUser } from './offline-db.ts'

export async function readOfflineProfile(): Promise<Profile | undefined> {
  return forOwner(async (person) => ({
    id: person.user_id,
    email: '',
    email_verified: true,
    display_name: person.display_name,
    avatar_url: null,
    // Always 'member', because the back office needs the server.
    role: 'member',
    subscription_status: 'active',
    subscription_tier: person.subscription_tier,
    subscription_ends_at: null,
    trial_ends_at: null,
    payment_problem: null,
    is_premium: true,
    two_factor_enabled: false,
    second_factor_required: false,
  }))
}

export async function readOfflineSite(): Promise<Site | undefined> {
  return hasIndexedDb ? readFact('site') : undefined
}

export function readDownloadedPlaylist(id: string): Promise<Playlist | undefined> {
  return forOwner(async () => {
    const kept = await readRow('playlists', id)
    if (!kept || id !== downloadedTracksId) return kept?.playlist
    // This list exists only on this device, so its duration counts only the downloaded songs.
    const ids = new Set(kept.track_ids)
    const tracks = (await readRows('tracks')).filter((row) => ids.has(row.id))
    const duration = tracks.reduce((sum, { track }) => sum + track.duration, 0)
    return { ...kept.playlist, duration }
  })
}

/** Returns all playlists of the user, downloaded or not: the list shows which ones are available offline. */
export function readOwnPlaylists(): Promise<Playlist[] | undefined> {
  return forOwner(() => readFact('own_playlists'))
}

export function readDownloadedTrack(id: string): Promise<TrackDetail | undefined> {
  return forOwner(async () => (await readRow('tracks', id))?.track)
}

/** Returns a page of the playlist's downloaded tracks. `offset` counts only downloaded tracks. */
export function readDownloadedPlaylistTracks(
  id: string,
  offset: number,
  limit: number,
): Promise<Output<typeof listPlaylistTracks> | undefined> {
  return forOwner(async () => {
    const [kept, rows] = await Promise.all([readRow('playlists', id), readRows('tracks')])
    if (!kept) return undefined
    const byId = new Map(rows.map(({ track }) => [track.id, track]))
    const tracks = kept.track_ids.flatMap((trackId) => byId.get(trackId) ?? [])
    const data = tracks.slice(offset, offset + limit).map((track, place) => ({
      id: track.id,
      order_index: offset + place,
      added_by: null,
      track,
    }))
    return { data, total: tracks.length }
  })
}

/** Returns the release with only the tracks that are on this device. */
export function readDownloadedRelease(address: string): Promise<ReleaseDetail | undefined> {
  return forOwner(async () => {
    const [playlists, rows] = await Promise.all([readRows('playlists'), readRows('tracks')])
    const kept = playlists.find(
      ({ release }) => release?.id === address || release?.slug === address,
    )
    if (!kept?.release) return undefined
    const { places, ...release } = kept.release
    const byId = new Map(rows.map(({ track }) => [track.id, track]))
    const tracks = kept.track_ids.flatMap((id, at) => {
      const track = byId.get(id)
      return track ? { ...track, disc: 1, position: at + 1, ...places[at] } : []
    })
    return { ...release, tracks }
  })
}

async function forOwner<Data>(
  read: (person: OfflineUser) => Promise<Data | undefined>,
): Promise<Data | undefined> {
  if (!hasIndexedDb) return undefined
  const person = await readFact('person')
  return canUseDownloads(person, Date.now()) ? read(person) : undefined
}
