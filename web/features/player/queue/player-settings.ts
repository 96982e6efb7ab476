// Playback preferences, stored in this browser per account.
import * as z from 'zod/mini'

export const crossfadeLimitSeconds = 12
export const playbackSpeeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export const playerSettings = z.object({
  /** 0 means gapless. */
  crossfade_seconds: z.number().check(z.minimum(0), z.maximum(crossfadeLimitSeconds)),
  /** Plays all tracks at the same loudness. */
  levelling: z.boolean(),
  speed: z.number().check(z.minimum(0.5), z.maximum(2)),
  /** Single-key shortcuts. Users of speech input or switches must be able to turn them off (WCAG 2.1.4). */
  shortcuts: z.boolean(),
  /** Similar music follows when the queue ends. Settings of older versions have no such field. */
  autoplay: z._default(z.boolean(), true),
})
export type PlayerSettings = z.infer<typeof playerSettings>

export const defaultPlayerSettings: PlayerSettings = {
  crossfade_seconds: 0,
  levelling: true,
  speed: 1,
  shortcuts: true,
  autoplay: true,
}
