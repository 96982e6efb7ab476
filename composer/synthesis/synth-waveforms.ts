// Tables of one cycle: a sine, and for each octave a saw, a square and a triangle. They contain only harmonics below
// the limit of hearing, so that no note aliases.

import { sampleRate } from './synth-stereo.ts'

export const tableSize = 2048

/** One cycle plus its first sample, for interpolation without wrapping. */
export const sineTable = makeTable([0, 1])

export type Waveform = 'saw' | 'square' | 'triangle' | 'sine'

function makeTable(harmonics: readonly number[]): Float32Array {
  const table = new Float32Array(tableSize + 1)
  for (let index = 0; index <= tableSize; index++) {
    let sum = 0
    for (let harmonic = 1; harmonic < harmonics.length; harmonic++) {
      const phase = ((index * harmonic) % tableSize) / tableSize
      sum += (harmonics[harmonic] ?? 0) * Math.sin(2 * Math.PI * phase)
    }
    table[index] = sum
  }
  return table
}

function harmonicOf(waveform: Waveform, harmonic: number): number {
  if (waveform === 'saw') return (harmonic % 2 === 0 ? -1 : 1) * (2 / Math.PI / harmonic)
  if (harmonic % 2 === 0) return 0
  if (waveform === 'square') return 4 / Math.PI / harmonic
  return ((harmonic % 4 === 1 ? 1 : -1) * 8) / Math.PI ** 2 / harmonic ** 2
}

const cache = new Map<string, Float32Array>()

/** The table to use for a note of `hz`. */
export function waveTable(waveform: Waveform, hz: number): Float32Array {
  if (waveform === 'sine') return sineTable
  const octave = Math.max(0, Math.ceil(Math.log2(hz / 55)))
  const name = `${waveform} ${octave}`
  const known = cache.get(name)
  if (known) return known
  const count = Math.max(1, Math.min(320, Math.floor((sampleRate * 0.42) / (55 * 2 ** octave))))
  const harmonics = Array.from({ length: count + 1 }, (_, harmonic) => {
    // Lanczos' sigma factors remove the ringing (Gibbs) of the truncated series.
    const x = (Math.PI * harmonic) / (count + 1)
    return harmonic === 0 ? 0 : harmonicOf(waveform, harmonic) * (Math.sin(x) / x)
  })
  const table = makeTable(harmonics)
  cache.set(name, table)
  return table
}
