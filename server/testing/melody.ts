// Generates songs for tests. Different seeds give different notes, with the same instruments and tempo.
import type { Signal } from './audio-fixtures.ts'

const notesPerSecond = 4
const partials = [1, 0.5, 0.3, 0.15]

export function composeMelody(seed: number): Signal {
  return (seconds) => {
    const place = seconds * notesPerSecond
    const note = Math.floor(place)
    return (
      playNote(seed, note, 60, seconds, place - note) +
      // A second voice with half as many notes.
      playNote(seed + 7919, note >> 1, 48, seconds, (place - 2 * (note >> 1)) / 2)
    )
  }
}

function playNote(
  seed: number,
  note: number,
  lowest: number,
  seconds: number,
  share: number,
): number {
  const pitch = lowest + (hash(seed * 100_003 + note) % 24)
  const hertz = 440 * 2 ** ((pitch - 69) / 12)
  const loudness = 0.2 * Math.min(1, share * 20) * Math.exp(-2 * share)
  return partials.reduce(
    (sum, strength, at) =>
      sum + loudness * strength * Math.sin(2 * Math.PI * hertz * (at + 1) * seconds),
    0,
  )
}

function hash(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x45d9_f3b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9_f3b)
  return (bits ^ (bits >>> 16)) >>> 0
}
