// What radio chooses tracks by.
import * as z from 'zod/mini'
import { radioSeed } from '#contract/radio.ts'

export const station = z.object({
  seed: radioSeed,
  /** `Radio: similar to Night Drive` */
  title: z.string(),
  /** Started by the listener; otherwise it follows the end of a list. */
  isAsked: z.boolean(),
})
export type Station = z.infer<typeof station>
