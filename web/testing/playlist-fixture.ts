// A playlist for tests and its tracks, each identified by its number.
import type { Playlist, PlaylistTrack } from '#contract/playlists.ts'
import { makeTracks } from './track-fixture.ts'
import { freeMember } from './mount-app.tsx'

export const playlistId = '0191a0c0-0000-7000-8000-000000000010'

export function makePlaylist(track_count: number, changes: Partial<Playlist> = {}): Playlist {
  return {
    id: playlistId,
    title: 'Evening',
    description: null,
    cover_url: null,
    cover_tint: null,
    cover_placeholder: null,
    is_public: false,
    is_curated: false,
    created_by: freeMember.id,
    created_at: '2026-11-20T10:00:00.000Z',
    track_count,
    duration: 180 * track_count,
    mosaic: [],
    is_own: true,
    share_url: `/my-playlists/${playlistId}`,
    role: 'owner',
    shared_with: 0,
    owner_name: null,
    is_smart: false,
    rules: null,
    premium_only: false,
    early_access_until: null,
    ...changes,
  }
}

/** Returns `count` tracks, starting after the first `from`. */
export function trackPage(count: number, from = 0) {
  const data = makeTracks(from + count)
    .slice(from)
    .map((track, order_index): PlaylistTrack => ({
      id: track.id,
      order_index,
      added_by: null,
      track,
    }))
  return { data, total: count }
}
