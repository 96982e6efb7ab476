// Assigns a style's progressions to the sections.

import { createChord, type Mode } from './compose-chords.ts'
import type { Chord, Section, SectionName } from './compose-model.ts'

/** '|' separates the bars; the chords of a bar have equal length. Written in C. */
export type Progressions = {
  verse: readonly string[]
  chorus: readonly string[]
  bridge: readonly string[]
  /** The last bars of the song, and the final chord. */
  ending: readonly string[]
}

export type ChosenProgressions = Record<keyof Progressions, string>

function splitBars(progression: string): string[][] {
  return progression.split('|').map((bar) => bar.trim().split(/\s+/))
}

function sourceOf(name: SectionName, chosen: ChosenProgressions): string[][] {
  if (name === 'chorus') return splitBars(chosen.chorus)
  if (name === 'bridge') return splitBars(chosen.bridge)
  return splitBars(chosen.verse)
}

/** An outro plays its progression and then the ending, without the final chord. */
function barsOf(section: Section, chosen: ChosenProgressions): string[][] {
  const source = sourceOf(section.name, chosen)
  const ending = section.name === 'outro' ? splitBars(chosen.ending).slice(0, -1) : []
  return Array.from({ length: section.bars }, (_, bar) => {
    const close = ending[bar - (section.bars - ending.length)]
    return close ?? source[bar % source.length] ?? []
  })
}

/** The chords of the whole song, followed by the final chord, which rings for `ringBeats`. */
export function layChords(
  sections: readonly Section[],
  chosen: ChosenProgressions,
  song: { tonic: number; mode: Mode; beatsPerBar: number; ringBeats: number },
): Chord[] {
  const chords = sections.flatMap((section) => {
    const key = { tonic: song.tonic + section.transpose, mode: song.mode }
    return barsOf(section, chosen).flatMap((symbols, bar) => {
      const beats = song.beatsPerBar / symbols.length
      return symbols.map((symbol, index) => {
        const beat = section.startBeat + bar * song.beatsPerBar + index * beats
        return createChord(symbol, { beat, beats }, key)
      })
    })
  })
  const last = sections.at(-1)
  const symbol = splitBars(chosen.ending).at(-1)?.[0]
  if (!last || !symbol) throw new Error('A song needs a section and an ending')
  const beat = last.startBeat + last.bars * song.beatsPerBar
  const key = { tonic: song.tonic + last.transpose, mode: song.mode }
  return [...chords, createChord(symbol, { beat, beats: song.ringBeats }, key)]
}

/** The chord that sounds at `beat`. */
export function chordAt(chords: readonly Chord[], beat: number): Chord {
  let low = 0
  let high = chords.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((chords[middle]?.beat ?? 0) <= beat + 1e-6) low = middle
    else high = middle - 1
  }
  const chord = chords[low]
  if (!chord) throw new Error('A song without chords')
  return chord
}
