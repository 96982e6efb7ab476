// Which file a listener hears of a track. The server decides for itself whether it serves it.
import { defaultPreviewLengthSeconds } from '#contract/plans.ts'
import { keptAudioUrlOf } from '../offline/kept-store.ts'
import { levellingGain } from './output-level.ts'
import { forThisPlayer } from './player-id.ts'
import type { PlayerTrack } from './player-track.ts'

export interface PlaybackSource {
  mode: 'full' | 'preview'
  url: string
  /** Whole seconds as announced; the file itself knows better once it is open. */
  durationSeconds: number
}

/** Premium hears everything, from this device where it is kept; others hear the preview of a track that has one, and all of the others. */
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

/** Amplitude factor of a track: its levelling where the listener wants that. */
export function trackGain(track: PlayerTrack, levelling: boolean): number {
  return levelling ? levellingGain(track) : 1
}
