// Drums, bass and risers: the parts that keep time.

import { chordAt } from './compose-harmony.ts'
import { wrap } from './compose-chords.ts'
import type { Chord, Note, Section } from './compose-model.ts'
import type { PartPlan, Rule } from './compose-plan.ts'
import type { Random } from './compose-random.ts'
import type { Song } from './compose-song.ts'
import { readStrokes, splitAtChords } from './compose-strokes.ts'

const drumVelocities: Record<string, number> = { X: 1, x: 0.82, o: 0.58, g: 0.3, '?': 0.42 }

export function playDrum(
  song: Song,
  plan: PartPlan,
  section: Section,
  rule: Rule,
  random: Random,
  chance: Random,
): Note[] {
  const drift = 0.88 + section.energy * 0.12
  return readStrokes(song, section, rule, random)
    .filter((stroke) => stroke.char !== '?' || chance.chance(0.4))
    .map((stroke) => ({
      beat: stroke.beat,
      beats: stroke.beats,
      pitch: plan.pitch ?? 60,
      velocity: (drumVelocities[stroke.char] ?? 0.8) * drift * (1 + chance.spread(0.14)),
      shiftSeconds: 0,
    }))
}

function bassPitch(char: string, chord: Chord, next: Chord, low: number, random: Random): number {
  const root = low + wrap(chord.bass - low)
  const above = (degree: number, fallback: number) => {
    const tone = chord.tones[degree]
    return root + (tone === undefined ? fallback : wrap(tone - root) || 12)
  }
  if (char === '3') return above(1, 4)
  if (char === '5') return above(2, 7)
  if (char === '7') return above(3, 12)
  if (char === '8') return root + 12
  if (char !== 'a') return root
  // Approaches the next root from the nearer side, by a semitone or a step of the scale.
  const goal = low + wrap(next.bass - low)
  const side = goal > root ? -1 : 1
  const step = next.scale.includes(wrap(goal + side * 2)) && random.chance(0.6) ? 2 : 1
  return goal + side * step
}

export function playBass(
  song: Song,
  plan: PartPlan,
  section: Section,
  rule: Rule,
  random: Random,
  chance: Random,
): Note[] {
  const low = plan.register?.low ?? 28
  return readStrokes(song, section, rule, random).flatMap((stroke) =>
    splitAtChords(song, stroke).map((piece, index): Note => {
      const next = chordAt(song.chords, piece.chord.beat + piece.chord.beats + 1e-3)
      const char = index === 0 ? stroke.char : 'R'
      const soft = char === 'r' || char === 'a' ? 0.16 : 0
      return {
        beat: piece.stroke.beat,
        beats: piece.stroke.beats * 0.95,
        pitch: bassPitch(char, piece.chord, next, low, chance),
        velocity: 0.62 + section.energy * 0.25 - soft + chance.spread(0.05),
        shiftSeconds: 0,
      }
    }),
  )
}

/** One long sweep that leads into a chorus: two bars, or the length of a shorter section. */
export function playRiser(song: Song, section: Section, next: Section | undefined): Note[] {
  if (next?.name !== 'chorus') return []
  const beats = Math.min(section.bars, 4) * song.beatsPerBar
  const end = section.startBeat + section.bars * song.beatsPerBar
  return [{ beat: end - beats, beats, pitch: 60, velocity: 0.8, shiftSeconds: 0 }]
}
