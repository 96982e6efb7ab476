// Types for the styles of the moods: which instrument plays which pattern in which section.

import type { Mode } from './compose-chords.ts'
import type { Progressions } from './compose-harmony.ts'
import type { MelodyStyle } from './compose-melody.ts'
import type { Instrument, Mix, Production, SectionName } from './compose-model.ts'
import type { Register } from './compose-voicing.ts'

/**
 * Patterns are strings with one character per step, and may span several bars. One pattern of the list is chosen per
 * track. '.' always rests. Drums: 'X' accent, 'x' stroke, 'o' soft, 'g' ghost, '?' sometimes. Chords: the same
 * strokes, 'l' lower voices, 'h' upper voices, '-' holds. Bass: 'R' root, 'r' soft root, '3', '5', '7', '8' chord
 * degrees, 'a' a step that leads to the next root, '-' holds. Arpeggios: digits number the voices from below.
 */
export type Rule = {
  in: readonly SectionName[]
  pattern: readonly string[]
  /** Replaces the section's last bar. */
  fill?: readonly string[]
  /** Fraction of the section after which the part enters. */
  enter?: number
  /** The part plays only from this occurrence of the section on. */
  after?: number
}

export type Player =
  | 'drum'
  | 'bass'
  | 'chords'
  | 'arpeggio'
  | 'pad'
  | 'lead'
  | 'harmony'
  | 'answer'
  | 'riser'

export type PartPlan = Partial<Mix> & {
  name: string
  player: Player
  /** One of these instruments is chosen per track. */
  instrument: readonly Instrument[]
  levelDb: number
  rules: readonly Rule[]
  register?: Register
  voices?: number
  /** Semitones added to the melody. */
  octave?: number
  /** Pitch of a drum: 60 is the original, higher is tighter. */
  pitch?: number
  /** Probability that a track has this part. 1 if absent. */
  chance?: number
  /** Whether the part plays on the final chord. */
  rings?: boolean
  brightness?: Partial<Record<SectionName, number>>
  /** Delay after the written beat in seconds, its random variation, and the duration of a rolled chord. */
  lateSeconds?: number
  jitterSeconds?: number
  rollSeconds?: number
}

export type MoodStyle = {
  tempo: readonly [number, number]
  beatsPerBar: number
  stepsPerBeat: number
  /** Delay of every second sixteenth as a fraction of a sixteenth. */
  swing: readonly [number, number]
  mode: Mode
  tonics: readonly number[]
  progressions: Progressions
  melody: MelodyStyle
  parts: readonly PartPlan[]
  production: Production
  /** Semitones by which the last chorus may be raised. One value is chosen per track. */
  lifts: readonly number[]
}

/** A pattern with one stroke at the beginning of every `bars` bars. A bar has `steps` steps. */
export function everyBars(bars: number, steps: number, stroke = 'x'): string {
  return stroke.padEnd(bars * steps, '.')
}
