// The fields of a track that the player needs: those that lists, playlists and saved queues all carry.
import * as z from 'zod/mini'
import { trackArtist } from '#contract/fields/artist-credits.ts'
import { releaseOfTrack } from '#contract/fields/release-fields.ts'
import { track } from '#contract/tracks.ts'

const carried = z.pick(track, {
  id: true,
  title: true,
  artist: true,
  duration: true,
  explicit: true,
  cover_url: true,
  cover_tint: true,
  cover_placeholder: true,
  audio_url: true,
  preview_url: true,
  preview_seconds: true,
  loudness_lufs: true,
  true_peak_dbtp: true,
  ai_disclosure: true,
  has_lyrics: true,
})

/** Queues that an earlier version saved lack the optional fields. */
export const playerTrack = z.extend(carried, {
  artists: z.optional(z.array(trackArtist)),
  premium_only: z.optional(z.nullable(z.boolean())),
  early_access_until: z.optional(z.nullable(z.string())),
  release: z.optional(z.nullable(releaseOfTrack)),
  share_url: z.optional(z.string()),
  /** Set when a release is played in order: all its tracks get the gain that follows from these two. */
  album_loudness_lufs: z.optional(z.nullable(z.number())),
  album_true_peak_dbtp: z.optional(z.nullable(z.number())),
})
export type PlayerTrack = z.infer<typeof playerTrack>

/** Keeps only the player's fields, so that a queue of thousands holds no descriptions. */
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
