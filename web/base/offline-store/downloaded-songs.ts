// Single songs downloaded to this device, stored as a playlist that exists only here.
import type { Playlist } from '#contract/playlists.ts'
import type { DownloadedPlaylist } from './offline-db.ts'

/** Id of the playlist of single songs. No playlist on the server has this id. */
export const downloadedTracksId = '00000000-0000-7000-8000-000000000000'

/** Creates the database row of this playlist for songs with these ids, newest last. */
export function createSongsRow(track_ids: string[]): DownloadedPlaylist {
  const playlist: Playlist = {
    id: downloadedTracksId,
    title: 'Downloaded songs',
    description: 'Single songs downloaded to this device.',
    cover_url: null,
    cover_tint: null,
    cover_placeholder: null,
    is_public: false,
    is_curated: false,
    created_by: null,
    created_at: new Date(0).toISOString(),
    track_count: track_ids.length,
    duration: 0,
    mosaic: [],
    is_own: false,
    share_url: '',
    role: null,
    shared_with: 0,
    owner_name: null,
    is_smart: false,
    rules: null,
    premium_only: false,
    early_access_until: null,
  }
  return { id: downloadedTracksId, playlist, track_ids }
}
