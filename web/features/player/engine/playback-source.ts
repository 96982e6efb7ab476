// Selects which file of a track the user gets. The server decides independently whether to serve it.
import { defaultPreviewLengthSeconds } from '#contract/plans.ts'
import { keptAudioUrlOf } from '../../../base/offline-store/kept-store.ts'
import { levellingGain } from './output-level.ts'
import { forThisPlayer } from '../queue/player-id.ts'
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
    const kept = isPremium ? keptAudioUrlOf(track.id) : null
    return {
      mode: 'full',
      url: kept ?? forThisPlayer(track.audio_url),
      durationSeconds: track.duration,
    }
  }
  return {
    mode: 'preview',
    url: forThisPlayer(track.preview_url),
    durationSeconds: track.preview_seconds ?? defaultPreviewLengthSeconds,
  }
}

/** Amplitude factor of a track: its levelling gain if the user wants levelling, otherwise 1. */
export function trackGain(track: PlayerTrack, levelling: boolean): number {
  return levelling ? levellingGain(track) : 1
}
