// The member's playback preferences, stored in this browser per account.
export const crossfadeLimitSeconds = 12
export const playbackSpeeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export interface PlayerSettings {
  /** Length in seconds; 0 means gapless playback. */
  crossfade_seconds: number
  /** Plays all tracks at the same loudness. */
  levelling: boolean
  speed: number
  /** Single-key shortcuts. Users of speech input or switches must be able to turn them off (WCAG 2.1.4). */
  shortcuts: boolean
  /** Plays similar music after the queue ends. */
  autoplay: boolean
}

export const defaultPlayerSettings: PlayerSettings = {
  crossfade_seconds: 0,
  levelling: true,
  speed: 1,
  shortcuts: true,
  autoplay: true,
}
