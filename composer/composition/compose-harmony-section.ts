// Chords, arpeggios and pads: the parts that carry the harmony.

import type { Chord, Note, Section } from './compose-model.ts'
import type { PartPlan, Rule } from './compose-plan.ts'
import type { Random } from './compose-random.ts'
import type { Song } from './compose-song.ts'
import { readStrokes, splitAtChords } from './compose-strokes.ts'
import { voiceChord } from './compose-voicing.ts'

export type Voicings = ReadonlyMap<Chord, readonly number[]>

/** One voicing per chord of the song, each voice-led from the previous one. */
export function voiceSong(song: Song, plan: PartPlan): Voicings {
  const register = plan.register ?? { low: 52, high: 74 }
  const voicings = new Map<Chord, readonly number[]>()
  let previous: number[] | null = null
  for (const chord of song.chords) {
    const voices = voiceChord(chord, previous, register, plan.voices ?? 4)
    voicings.set(chord, voices)
    previous = voices
  }
  return voicings
}

const strokeVelocities: Record<string, number> = {
  X: 0.86,
  x: 0.7,
  o: 0.5,
  l: 0.58,
  h: 0.62,
  g: 0.34,
}

function voicesFor(char: string, voices: readonly number[]): readonly number[] {
  const split = Math.floor(voices.length / 2)
  if (char === 'l') return voices.slice(0, split)
  if (char === 'h') return voices.slice(split)
  return voices
}

export function playChords(
  song: Song,
  plan: PartPlan,
  section: Section,
  rule: Rule,
  random: Random,
  chance: Random,
  voicings: Voicings,
): Note[] {
  return readStrokes(song, section, rule, random).flatMap((stroke) =>
    splitAtChords(song, stroke).flatMap(({ stroke: piece, chord }) => {
      const voices = voicesFor(piece.char, voicings.get(chord) ?? [])
      const base = (strokeVelocities[piece.char] ?? 0.7) * (0.8 + section.energy * 0.2)
      return voices.map((pitch, index): Note => {
        // The top voice is heard as the melody; the inner ones are softer.
        const weight = index === voices.length - 1 ? 1.06 : 0.92
        return {
          beat: piece.beat,
          beats: piece.beats * 0.97,
          pitch,
          velocity: base * weight + chance.spread(0.06),
          shiftSeconds: index * (plan.rollSeconds ?? 0) * (0.7 + chance.range(0, 0.6)),
        }
      })
    }),
  )
}

export function playArpeggio(
  song: Song,
  plan: PartPlan,
  section: Section,
  rule: Rule,
  random: Random,
  chance: Random,
  voicings: Voicings,
): Note[] {
  return readStrokes(song, section, rule, random).flatMap((stroke) => {
    const piece = splitAtChords(song, stroke)[0]
    const voices = (piece && voicings.get(piece.chord)) ?? []
    const place = Number.parseInt(stroke.char, 10)
    const voice = voices[place % voices.length]
    if (voice === undefined) return []
    const accent = (stroke.beat - section.startBeat) % 1 === 0 ? 0.1 : 0
    return {
      beat: stroke.beat,
      beats: stroke.beats,
      pitch: voice + 12 * Math.floor(place / voices.length) + (plan.octave ?? 0),
      velocity: 0.45 + section.energy * 0.2 + accent + chance.spread(0.08),
      shiftSeconds: 0,
    }
  })
}

/** Sustained chords; a tone shared with the previous chord is not struck again. */
export function playPad(song: Song, section: Section, rule: Rule, voicings: Voicings): Note[] {
  const start = section.startBeat + section.bars * song.beatsPerBar * (rule.enter ?? 0)
  const end = section.startBeat + section.bars * song.beatsPerBar
  const notes: Note[] = []
  for (const chord of song.chords) {
    if (chord.beat < start - 1e-6 || chord.beat >= end - 1e-6) continue
    for (const pitch of voicings.get(chord) ?? []) {
      const held = notes.find(
        (note) => note.pitch === pitch && Math.abs(note.beat + note.beats - chord.beat) < 1e-6,
      )
      if (held) held.beats += chord.beats
      else {
        const velocity = 0.55 + section.energy * 0.3
        notes.push({ beat: chord.beat, beats: chord.beats, pitch, velocity, shiftSeconds: 0 })
      }
    }
  }
  return notes
}
