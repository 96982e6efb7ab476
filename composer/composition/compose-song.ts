// The frame of the song being composed, shared by all parts.

import type { Mode } from './compose-chords.ts'
import type { Chord, Section } from './compose-model.ts'
import type { Random } from './compose-random.ts'

export type Song = {
  tonic: number
  mode: Mode
  tempo: number
  beatsPerBar: number
  /** 4 for sixteenths, 3 for the triplets of a 12/8. */
  stepsPerBeat: number
  sections: readonly Section[]
  chords: readonly Chord[]
  /** Beats that the last chord rings after the last section. */
  ringBeats: number
  random: (label: string) => Random
}

/** Steps of one bar. */
export function stepsPerBar(song: Song): number {
  return song.beatsPerBar * song.stepsPerBeat
}

/** Where the last section ends and the last chord begins. */
export function ringBeat(song: Song): number {
  const last = song.sections.at(-1)
  return last ? last.startBeat + last.bars * song.beatsPerBar : 0
}
