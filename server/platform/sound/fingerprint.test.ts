import { expect, test } from 'vitest'
import { encodeWav, type Signal } from '../../testing/audio-fixtures.ts'
import { composeMelody } from '../../testing/melody.ts'
import { createFingerprintComparison } from './fingerprint.ts'
import { createSoundCollector } from './sound-collector.ts'

const rate = 22_050
const seconds = 14

function fingerprintOf(signal: Signal, length = seconds): Uint8Array | null {
  const bytes = encodeWav(signal, { seconds: length, sampleRate: rate }).subarray(44)
  const collector = createSoundCollector(rate)
  collector.add(new Int16Array(new Uint8Array(bytes).buffer))
  return collector.finish()?.fingerprint ?? null
}

const songs = Array.from({ length: 12 }, (_, seed) => composeMelody(seed))
const fingerprints = songs.map((song) => fingerprintOf(song)!)
const differenceOf = (a: Uint8Array, b: Uint8Array) => createFingerprintComparison(a).compare(b)

test('recognizes a recording with a later or earlier start, and at another level', () => {
  for (const [at, song] of songs.slice(0, 5).entries()) {
    const cut = fingerprintOf((second) => 0.3 * song(second + 0.5))!
    const padded = fingerprintOf((second) => (second < 0.77 ? 0 : 0.6 * song(second - 0.77)))!
    expect(differenceOf(fingerprints[at]!, fingerprints[at]!)).toBe(0)
    expect(differenceOf(fingerprints[at]!, cut)).toBeLessThan(0.3)
    expect(differenceOf(padded, fingerprints[at]!)).toBeLessThan(0.3)
  }
})

test('distinguishes all 66 pairs of different songs', () => {
  const pairs = fingerprints.flatMap((one, at) =>
    fingerprints.slice(at + 1).map((other) => differenceOf(one, other)),
  )
  expect(pairs).toHaveLength(66)
  expect(pairs.filter((difference) => difference !== null)).toEqual([])
})

test('distinguishes regular pulses of different notes', () => {
  const pulse = (hertz: number) => (second: number) =>
    second % 1 < 0.5 ? 0.4 * Math.sin(2 * Math.PI * hertz * second) * (1 - (second % 1)) : 0
  const pulses = [330, 400, 440, 500].map((hertz) => fingerprintOf(pulse(hertz))!)
  for (const one of pulses) {
    expect(pulses.filter((other) => differenceOf(one, other) !== null)).toEqual([one])
  }
})

test('returns no fingerprint for silence and for less than ten seconds', () => {
  expect(fingerprintOf(() => 0)).toBeNull()
  expect(fingerprintOf(songs[0]!, 9)).toBeNull()
  expect(fingerprintOf(songs[0]!, 12)).not.toBeNull()
})

test('comparing with 10,000 fingerprints takes less time than measuring two songs', () => {
  const song = encodeWav(songs[0]!, { seconds: 120, sampleRate: rate }).subarray(44)
  const samples = new Int16Array(new Uint8Array(song).buffer)
  const measure = () => {
    const collector = createSoundCollector(rate)
    collector.add(samples)
    return collector.finish()!.fingerprint!
  }
  const own = measure()
  // Fingerprints of full length that don't match any other.
  const others = Array.from({ length: 100 }, (_, at) =>
    Buffer.from(own.map((byte, place) => (place < 33 ? byte : byte ^ ((place * (at + 3)) >> 2)))),
  )
  const timeOf = (work: () => void) => {
    const begin = performance.now()
    work()
    return performance.now() - begin
  }
  const comparing: number[] = []
  const measuring: number[] = []
  for (let round = 0; round < 9; round += 1) {
    const comparison = createFingerprintComparison(own)
    comparing.push(timeOf(() => others.forEach((other) => comparison.compare(other))))
    measuring.push(timeOf(measure))
  }
  // The fastest rounds, because other processes only ever slow a round down.
  expect(100 * Math.min(...comparing)).toBeLessThan(2 * Math.min(...measuring))
})
