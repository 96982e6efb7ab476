// Chord symbols and keys. Progressions are written in C (major or minor, depending on the style), as musicians exchange
// them; only this file transposes them to the track's key.

import type { Chord } from './compose-model.ts'

const naturals: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }

/** Semitones above the root: root first, coloring tones last. */
const qualities: Record<string, readonly number[]> = {
  '': [0, 4, 7],
  m: [0, 3, 7],
  '6': [0, 4, 7, 9],
  m6: [0, 3, 7, 9],
  '69': [0, 4, 7, 9, 2],
  add9: [0, 4, 7, 2],
  madd9: [0, 3, 7, 2],
  sus2: [0, 2, 7],
  sus4: [0, 5, 7],
  '7': [0, 4, 7, 10],
  '9': [0, 4, 7, 10, 2],
  '13': [0, 4, 7, 10, 2, 9],
  '7sus4': [0, 5, 7, 10],
  '9sus': [0, 5, 7, 10, 2],
  '13sus': [0, 5, 7, 10, 2, 9],
  '7b9': [0, 4, 7, 10, 1],
  '7#9': [0, 4, 7, 10, 3],
  '7alt': [0, 4, 8, 10, 3],
  maj7: [0, 4, 7, 11],
  maj9: [0, 4, 7, 11, 2],
  'maj7#11': [0, 4, 7, 11, 6],
  m7: [0, 3, 7, 10],
  m9: [0, 3, 7, 10, 2],
  m11: [0, 3, 7, 10, 2, 5],
  m7b5: [0, 3, 6, 10],
  dim7: [0, 3, 6, 9],
}

export const modes = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  lydian: [0, 2, 4, 6, 7, 9, 11],
} as const

export type Mode = keyof typeof modes

const pitchNames = ['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B']

/** 'Eb minor' for tonic 3 in a minor mode. */
export function nameKey(tonic: number, mode: Mode): string {
  return `${pitchNames[wrap(tonic)]} ${mode}`
}

/** Converts semitones from C to a pitch class (0 to 11). Accepts negative numbers. */
export function wrap(semitones: number): number {
  return ((semitones % 12) + 12) % 12
}

function parsePitchClass(name: string): number {
  const natural = naturals[name[0] ?? '']
  if (natural === undefined) throw new Error(`No such note: ${name}`)
  return wrap(natural + (name[1] === '#' ? 1 : name[1] === 'b' ? -1 : 0))
}

/** `tonic` transposes the symbol from C to the key; the chord lasts `beats` from `beat`. */
export function createChord(
  symbol: string,
  place: { beat: number; beats: number },
  key: { tonic: number; mode: Mode },
): Chord {
  const match = /^([A-G][#b]?)([^/]*)(?:\/([A-G][#b]?))?$/.exec(symbol)
  const intervals = qualities[match?.[2] ?? 'none']
  if (!match?.[1] || !intervals) throw new Error(`No such chord: ${symbol}`)
  const root = wrap(parsePitchClass(match[1]) + key.tonic)
  const tones = intervals.map((interval) => wrap(root + interval))
  const bass = match[3] ? wrap(parsePitchClass(match[3]) + key.tonic) : root
  return { ...place, symbol, root, bass, tones, scale: scaleFor(tones, key) }
}

/** The key's scale adjusted to the chord: a foreign chord tone replaces its neighbors a semitone away. */
function scaleFor(tones: readonly number[], key: { tonic: number; mode: Mode }): number[] {
  const home = modes[key.mode].map((step) => wrap(step + key.tonic))
  const foreign = tones.filter((tone) => !home.includes(tone))
  const kept = home.filter(
    (pitch) =>
      tones.includes(pitch) ||
      !foreign.some((tone) => wrap(pitch - tone) === 1 || wrap(tone - pitch) === 1),
  )
  return [...new Set([...kept, ...tones])].toSorted((a, b) => a - b)
}
