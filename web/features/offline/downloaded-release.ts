// Represents a downloaded release as a playlist, so that it is listed among the downloaded playlists. Its other
// fields are stored with it.
import type { Playlist } from '#contract/playlists.ts'
import type { ReleaseDetail } from '#contract/releases.ts'
import type { DownloadedPlaylist } from '../../base/offline-store/offline-db.ts'

/** Converts a release to the playlist that represents it among the downloads. */
export function releaseToPlaylist(release: Omit<ReleaseDetail, 'tracks'>): Playlist {
  return {
    id: release.id,
    title: release.title,
    description: release.description,
    cover_url: release.cover_url,
    cover_tint: release.cover_tint,
    cover_placeholder: release.cover_placeholder,
    is_public: true,
    is_curated: true,
    created_by: null,
    created_at: release.created_at,
    track_count: release.track_count,
    duration: release.duration,
    mosaic: [],
    is_own: false,
    share_url: release.share_url,
    role: null,
    shared_with: 0,
    owner_name: null,
    is_smart: false,
    rules: null,
    premium_only: false,
    early_access_until: null,
  }
}

export function releaseToDownload({ tracks, ...release }: ReleaseDetail): DownloadedPlaylist {
  return {
    id: release.id,
    playlist: releaseToPlaylist(release),
    track_ids: tracks.map(({ id }) => id),
    release: { ...release, places: tracks.map(({ disc, position }) => ({ disc, position })) },
  }
}
