// How this listener likes to hear music; kept in this browser, per account.
import * as z from 'zod/mini'

export const crossfadeLimitSeconds = 12
export const playbackSpeeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export const playerSettings = z.object({
  /** 0: one track follows the other without a gap. */
  crossfade_seconds: z.number().check(z.minimum(0), z.maximum(crossfadeLimitSeconds)),
  /** Brings all tracks to the same loudness. */
  levelling: z.boolean(),
  speed: z.number().check(z.minimum(0.5), z.maximum(2)),
  /** Single keys; whoever dictates or uses switches must be able to turn them off (WCAG 2.1.4). */
  shortcuts: z.boolean(),
})
export type PlayerSettings = z.infer<typeof playerSettings>

export const defaultPlayerSettings: PlayerSettings = {
  crossfade_seconds: 0,
  levelling: true,
  speed: 1,
  shortcuts: true,
}
