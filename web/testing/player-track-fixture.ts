// Tracks for tests, each identified by its number.
import type { PlayerTrack } from '../features/player/queue/player-track.ts'

export function makeTrack(number: number, changes: Partial<PlayerTrack> = {}): PlayerTrack {
  const id = `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
  return {
    id,
    title: `Track ${number}`,
    artist: 'Velour Ensemble',
    artists: [],
    duration: 180,
    explicit: false,
    cover_url: null,
    cover_tint: null,
    cover_placeholder: null,
    audio_url: `/api/tracks/${id}/stream`,
    preview_url: `/api/tracks/${id}/preview`,
    preview_seconds: 45,
    loudness_lufs: -14,
    true_peak_dbtp: -1,
    ai_disclosure: 'ai_generated',
    has_lyrics: false,
    ...changes,
  }
}

export function makeTracks(count: number): PlayerTrack[] {
  return Array.from({ length: count }, (_, at) => makeTrack(at + 1))
}
