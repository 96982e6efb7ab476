// Selects which file of a track the user gets. The server decides independently whether to serve it.
import { defaultPreviewLengthSeconds } from '#contract/plans.ts'
import { findDownloadedAudioUrl } from '../../../base/offline-store/download-store.ts'
import { levellingGain } from './output-level.ts'
import { addPlayerId } from '../queue/player-id.ts'
import type { PlayerTrack } from '../queue/player-track.ts'

export interface PlaybackSource {
  mode: 'full' | 'preview'
  url: string
  /** Length in whole seconds from the catalogue; the opened file gives the exact length. */
  durationSeconds: number
}

/**
 * Premium users get the full track, from this device if downloaded. Others get the preview if the track has one,
 * otherwise the full track.
 */
export function playbackSource(track: PlayerTrack, isPremium: boolean): PlaybackSource {
  if (isPremium || track.preview_url === null) {
    const kept = isPremium ? findDownloadedAudioUrl(track.id) : null
    return {
      mode: 'full',
      url: kept ?? addPlayerId(track.audio_url),
      durationSeconds: track.duration,
    }
  }
  return {
    mode: 'preview',
    url: addPlayerId(track.preview_url),
    durationSeconds: track.preview_seconds ?? defaultPreviewLengthSeconds,
  }
}

/**
 * Amplitude factor of a track: its leveling gain if the user wants leveling, otherwise 1. In order, all tracks of a
 * release have the same one.
 */
export function trackGain(track: PlayerTrack, levelling: boolean, isShuffled: boolean): number {
  if (!levelling) return 1
  const { album_loudness_lufs = null, album_true_peak_dbtp = null } = track
  if (isShuffled || album_loudness_lufs === null) return levellingGain(track)
  return levellingGain({ loudness_lufs: album_loudness_lufs, true_peak_dbtp: album_true_peak_dbtp })
}
