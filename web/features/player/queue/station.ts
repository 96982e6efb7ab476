// A radio station: its seed and title.
import type { RadioSeed } from '#contract/play-context.ts'

export interface Station {
  seed: RadioSeed
  /** Such as `Radio: similar to Night Drive`. */
  title: string
  /** True if the listener started the station. False if autoplay started it at the end of a list. */
  isAsked: boolean
}
