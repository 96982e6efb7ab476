// A station: the seed of its tracks.
import * as z from 'zod/mini'
import { radioSeed } from '#contract/radio.ts'

export const station = z.object({
  seed: radioSeed,
  /** `Radio: similar to Night Drive` */
  title: z.string(),
  /** True if the listener started it; false if it follows the end of a list. */
  isAsked: z.boolean(),
})
export type Station = z.infer<typeof station>
