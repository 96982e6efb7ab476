// Converts a back-office track for the player. In the back office every track plays in full, including drafts, so the
// preview for members is omitted.
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { toPlayerTrack, type PlayerTrack } from '../../features/player/queue/player-track.ts'

/** The fields of a track that all back-office lists contain. */
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

/** Returns whether the track can be played. Until it is processed, there is no playable file. */
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
