import { describe, expect, test } from 'vitest'
import { encodeWav, type Signal } from '../../testing/audio-fixtures.ts'
import { createPowerSpectrum } from './power-spectrum.ts'
import { createSoundCollector } from './sound-collector.ts'
import { encodeSoundVector, soundVectorLength } from './sound-features.ts'

const notes = (...semitones: number[]) =>
  semitones.map((semitone) => 440 * 2 ** ((semitone - 9) / 12))

/** Plays chords on plucked strings, one per beat. */
function plucked(bpm: number, chords: number[][]): Signal {
  const tones = chords.map((chord) => notes(...chord))
  return (seconds) => {
    const beat = (seconds * bpm) / 60
    const chord = tones[Math.floor(beat / 4) % tones.length]!
    const decay = Math.exp(-6 * (beat - Math.floor(beat)))
    const sum = chord.reduce((all, hertz) => all + Math.sin(2 * Math.PI * hertz * seconds), 0)
    return (0.5 * decay * sum) / chord.length
  }
}

const cMajor = [
  [0, 4, 7],
  [5, 9, 12],
  [7, 11, 14],
  [0, 4, 7],
]
const aMinor = [
  [9, 12, 16],
  [2, 5, 9],
  [4, 8, 11],
  [9, 12, 16],
]

function measure(signal: Signal, { sampleRate = 44_100, seconds = 20, piece = 4096 } = {}) {
  const bytes = encodeWav(signal, { seconds, sampleRate }).subarray(44)
  const samples = new Int16Array(new Uint8Array(bytes).buffer)
  const collector = createSoundCollector(sampleRate)
  for (let at = 0; at < samples.length; at += 2 * piece) {
    collector.add(samples.subarray(at, at + 2 * piece))
  }
  return collector.finish()
}

test('the power spectrum equals the discrete Fourier transform', () => {
  const size = 64
  const samples = Float32Array.from(
    { length: size },
    (_, i) => Math.sin(i * 0.7) + 0.3 * Math.cos(i * 1.9 + 1),
  )
  const power = createPowerSpectrum(size).measure(samples)
  for (let bin = 0; bin < size / 2; bin += 1) {
    let re = 0
    let im = 0
    for (const [i, sample] of samples.entries()) {
      const value = sample * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
      re += value * Math.cos((2 * Math.PI * bin * i) / size)
      im -= value * Math.sin((2 * Math.PI * bin * i) / size)
    }
    expect(power[bin]).toBeCloseTo(re * re + im * im, 6)
  }
})

describe('tempo and key', () => {
  test.each([
    [72, cMajor, 0, false],
    [84, aMinor, 9, true],
    [128, cMajor, 0, false],
  ])('finds %d beats per minute', (bpm, chords, key, isMinor) => {
    const features = measure(plucked(bpm, chords))!
    expect(Math.abs(features.tempo! - bpm)).toBeLessThan(1.5)
    expect(features.tempoConfidence).toBeGreaterThan(0.3)
    expect(features).toMatchObject({ key, isMinor })
  })

  test('finds no tempo in a steady tone', () => {
    const tone = measure((seconds) => 0.4 * Math.sin(2 * Math.PI * 440 * seconds))!
    expect(tone.tempo).toBeNull()
    expect(tone.key).toBe(9)
  })
})

test('returns no features for silence, and silence at the ends changes the features only slightly', () => {
  expect(measure(() => 0)).toBeNull()
  expect(measure(() => 0, { seconds: 0.02 })).toBeNull()
  const song = plucked(100, cMajor)
  const framed = measure((seconds) => (seconds < 4 || seconds > 24 ? 0 : song(seconds - 4)), {
    seconds: 28,
  })!
  const whole = measure(song)!
  expect(framed.vector[0]).toBeCloseTo(whole.vector[0]!, 0)
})

test('returns the same features for another sample rate and other chunk sizes', () => {
  const song = plucked(100, aMinor)
  const [at44, at48] = [measure(song)!, measure(song, { sampleRate: 48_000 })!]
  expect(measure(song, { piece: 777 })).toEqual(at44)
  expect(at48.tempo).toBeCloseTo(at44.tempo!, 0)
  expect(at48.key).toBe(at44.key)
  for (const [i, value] of at44.vector.entries()) {
    expect(Math.abs(at48.vector[i]! - value), `number ${i}`).toBeLessThan(
      0.15 + 0.05 * Math.abs(value),
    )
  }
})

test('the vector is stored as 32-bit floats', () => {
  const { vector } = measure(plucked(100, aMinor), { seconds: 3 })!
  expect(vector).toHaveLength(soundVectorLength)
  expect(vector.every(Number.isFinite)).toBe(true)
  expect(encodeSoundVector(vector).readFloatLE(4)).toBe(vector[1])
})
