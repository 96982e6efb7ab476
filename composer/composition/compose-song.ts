// The data of the song being composed that all parts share.

import type { Mode } from './compose-chords.ts'
import type { Chord, Section } from './compose-model.ts'
import type { Random } from './compose-random.ts'

export type Song = {
  tonic: number
  mode: Mode
  tempo: number
  beatsPerBar: number
  /** 4 for sixteenths, 3 for the triplets of 12/8 time. */
  stepsPerBeat: number
  sections: readonly Section[]
  chords: readonly Chord[]
  /** How many beats the final chord lasts after the last section. */
  ringBeats: number
  random: (label: string) => Random
}

/** The number of steps in one bar. */
export function stepsPerBar(song: Song): number {
  return song.beatsPerBar * song.stepsPerBeat
}

/** The beat on which the last section ends and the final chord begins. */
export function ringBeat(song: Song): number {
  const last = song.sections.at(-1)
  return last ? last.startBeat + last.bars * song.beatsPerBar : 0
}
