// Tracks for tests, each identified by its number.
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import type { Track, TrackDetail } from '#contract/tracks.ts'

const createdAt = '2026-11-20T10:00:00.000Z'

export function makeTrack(number: number, changes: Partial<Track> = {}): Track {
  const id = `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
  return {
    id,
    slug: `track-${number}`,
    share_url: `/t/track-${number}`,
    title: `Track ${number}`,
    artist: 'Velour Ensemble',
    artists: [],
    category: null,
    categories: [],
    moods: [],
    genre: null,
    description: null,
    tags: [],
    explicit: false,
    duration: 180,
    cover_url: null,
    cover_tint: null,
    cover_placeholder: null,
    audio_url: `/api/tracks/${id}/stream`,
    preview_url: `/api/tracks/${id}/preview`,
    preview_seconds: 45,
    loudness_lufs: -14,
    true_peak_dbtp: -1,
    ai_disclosure: 'ai_generated',
    ai_tool: null,
    premium_only: false,
    early_access_until: null,
    has_lyrics: false,
    release: null,
    created_at: createdAt,
    is_liked: false,
    ...changes,
  }
}

export function makeTracks(count: number): Track[] {
  return Array.from({ length: count }, (_, at) => makeTrack(at + 1))
}

export function makeTrackDetail(number: number, changes: Partial<TrackDetail> = {}): TrackDetail {
  return {
    ...makeTrack(number),
    peaks: null,
    lyrics: null,
    credits: null,
    versions: [],
    is_published: true,
    ...changes,
  }
}

/** Returns the responses that are needed to open these tracks. */
export function openedTracks(...details: TrackDetail[]) {
  return Object.fromEntries(details.map((detail) => [`GET /api/tracks/${detail.id}`, detail]))
}

export function makeAdminTrack(number: number, changes: Partial<AdminTrack> = {}): AdminTrack {
  const { has_lyrics: _, is_liked: __, ...track } = makeTrack(number)
  return {
    ...track,
    releases: [],
    is_published: true,
    publish_when_ready: false,
    release_at: null,
    release_zone: null,
    early_access_days: 0,
    audience: 'members',
    lyrics: null,
    credits: null,
    processing_status: 'ready',
    processing_progress: 1,
    processing_error: null,
    file_problem: null,
    updated_at: createdAt,
    version: 1,
    ...changes,
  }
}
