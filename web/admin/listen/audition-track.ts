// Converts a back-office track for the player. Admins can play every recording in full, including drafts, on any plan,
// so the member preview is omitted.
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { toPlayerTrack, type PlayerTrack } from '../../features/player/queue/player-track.ts'

/** The track fields that every back-office list has. */
export type AuditionTrack = Pick<
  AdminTrack,
  | 'id'
  | 'title'
  | 'artist'
  | 'duration'
  | 'explicit'
  | 'cover_url'
  | 'cover_tint'
  | 'cover_placeholder'
  | 'loudness_lufs'
  | 'true_peak_dbtp'
  | 'ai_disclosure'
> &
  Partial<Pick<AdminTrack, 'processing_status' | 'lyrics'>>

/** A recording has no playable file until it is processed. */
export function canAudition({ processing_status }: AuditionTrack): boolean {
  return processing_status === undefined || processing_status === 'ready'
}

export function toAudition(track: AuditionTrack): PlayerTrack {
  return toPlayerTrack({
    ...track,
    audio_url: `/api/tracks/${track.id}/stream`,
    preview_url: null,
    preview_seconds: null,
    has_lyrics: Boolean(track.lyrics),
  })
}
