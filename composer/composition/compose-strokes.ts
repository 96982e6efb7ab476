// Converts patterns to timed strokes, for every part that plays a pattern.

import { chordAt } from './compose-harmony.ts'
import type { Chord, Section } from './compose-model.ts'
import type { Rule } from './compose-plan.ts'
import type { Random } from './compose-random.ts'
import { type Song, stepsPerBar } from './compose-song.ts'

export type Stroke = { char: string; beat: number; beats: number }

/** The rule for a section, with the pattern drawn for this track; null if the part is silent. */
export function ruleFor(rules: readonly Rule[], section: Section): Rule | null {
  return (
    rules.find(
      (rule) => rule.in.includes(section.name) && section.occurrence >= (rule.after ?? 0),
    ) ?? null
  )
}

/** Repeats the section's pattern until it fills the section. */
function writeOut(song: Song, section: Section, rule: Rule, random: Random): string {
  const bar = stepsPerBar(song)
  const pattern = random.pick(rule.pattern)
  const fill = rule.fill ? random.pick(rule.fill) : null
  for (const text of [pattern, fill ?? pattern]) {
    if (text.length === 0 || text.length % bar !== 0) {
      throw new Error(`"${text}" does not consist of whole bars of ${bar} steps`)
    }
  }
  const silent = Math.round((section.bars * (rule.enter ?? 0)) / 2) * 2 * bar
  const length = section.bars * bar
  const written = pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)
  const played = '.'.repeat(silent) + written.slice(silent)
  return fill ? played.slice(0, length - bar) + fill.slice(0, bar) : played
}

/** The strokes of a section in order; a '-' after a stroke holds it one step longer. */
export function readStrokes(song: Song, section: Section, rule: Rule, random: Random): Stroke[] {
  const strokes: Stroke[] = []
  const step = 1 / song.stepsPerBeat
  const written = writeOut(song, section, rule, random)
  ;[...written].forEach((char, index) => {
    const last = strokes.at(-1)
    if (char === '-') {
      if (last && written[index - 1] !== '.') last.beats += step
    } else if (char !== '.') {
      strokes.push({ char, beat: section.startBeat + index * step, beats: step })
    }
  })
  return strokes
}

/** Splits a held stroke where the harmony changes, so that each piece belongs to one chord. */
export function splitAtChords(song: Song, stroke: Stroke): { stroke: Stroke; chord: Chord }[] {
  const pieces: { stroke: Stroke; chord: Chord }[] = []
  const end = stroke.beat + stroke.beats
  let beat = stroke.beat
  while (beat < end - 1e-6) {
    const chord = chordAt(song.chords, beat)
    const until = Math.min(end, chord.beat + chord.beats)
    pieces.push({ stroke: { char: stroke.char, beat, beats: until - beat }, chord })
    if (until <= beat) break
    beat = until
  }
  return pieces
}
