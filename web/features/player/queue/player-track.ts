// The fields of a track that the player needs: those that lists, playlists and saved queues all carry.
import type { Track } from '#contract/tracks.ts'

type Carried = Pick<
  Track,
  | 'id'
  | 'title'
  | 'artist'
  | 'duration'
  | 'explicit'
  | 'cover_url'
  | 'cover_tint'
  | 'cover_placeholder'
  | 'audio_url'
  | 'preview_url'
  | 'preview_seconds'
  | 'loudness_lufs'
  | 'true_peak_dbtp'
  | 'ai_disclosure'
  | 'has_lyrics'
>

/** Queues that an earlier version saved lack the optional fields. */
export interface PlayerTrack extends Carried {
  artists?: Track['artists'] | undefined
  premium_only?: boolean | null | undefined
  early_access_until?: string | null | undefined
  release?: Track['release'] | undefined
  share_url?: string | undefined
  /** Set if a release is played in order: all its tracks then get the gain that follows from these two values. */
  album_loudness_lufs?: number | null | undefined
  album_true_peak_dbtp?: number | null | undefined
}

/** Copies only the fields that the player needs, so that a queue of thousands holds no descriptions. */
export function toPlayerTrack(from: PlayerTrack): PlayerTrack {
  return {
    id: from.id,
    title: from.title,
    artist: from.artist,
    ...(from.artists && { artists: from.artists }),
    duration: from.duration,
    explicit: from.explicit,
    cover_url: from.cover_url,
    cover_tint: from.cover_tint,
    cover_placeholder: from.cover_placeholder,
    audio_url: from.audio_url,
    preview_url: from.preview_url,
    preview_seconds: from.preview_seconds,
    loudness_lufs: from.loudness_lufs,
    true_peak_dbtp: from.true_peak_dbtp,
    ai_disclosure: from.ai_disclosure,
    has_lyrics: from.has_lyrics,
    premium_only: from.premium_only ?? false,
    early_access_until: from.early_access_until ?? null,
    ...(from.share_url && { share_url: from.share_url }),
    ...(from.release && { release: from.release }),
    ...(typeof from.album_loudness_lufs === 'number' && {
      album_loudness_lufs: from.album_loudness_lufs,
      album_true_peak_dbtp: from.album_true_peak_dbtp ?? null,
    }),
  }
}
