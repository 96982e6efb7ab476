import { describe, expect, test } from 'vitest'
import { createDrumVoice } from './synth-kit.ts'
import { createLoopedVoice, loopSize } from './synth-looped.ts'
import { monoVoices, renderMonoNote } from './synth-mono.ts'
import { pitchToHz, sampleRate } from './synth-stereo.ts'
import { createStruckVoice } from './synth-struck.ts'

function powerAt(samples: Float32Array, hz: number): number {
  const length = Math.min(samples.length, 16384)
  const step = (2 * Math.PI * hz) / sampleRate
  let [real, imaginary] = [0, 0]
  for (let index = 0; index < length; index++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / length)
    real += samples[index]! * window * Math.cos(step * index)
    imaginary += samples[index]! * window * Math.sin(step * index)
  }
  return real ** 2 + imaginary ** 2
}

/** How far the fundamental differs from the pitch, in cents. Searches within 48 cents. */
function centsOff(samples: Float32Array, pitch: number): number {
  let [best, most] = [0, 0]
  for (let cents = -48; cents <= 48; cents += 2) {
    const power = powerAt(samples, pitchToHz(pitch) * 2 ** (cents / 1200))
    if (power > most) [best, most] = [cents, power]
  }
  return Math.abs(best)
}

const struck = [
  'electric-piano',
  'felt-piano',
  'grand-piano',
  'vibraphone',
  'kalimba',
  'nylon-guitar',
  'muted-guitar',
  'synth-pluck',
] as const

describe.each(struck)('%s', (instrument) => {
  test('is in tune from low to high notes', () => {
    const voice = createStruckVoice(instrument)
    for (const pitch of [52, 64, 79]) {
      expect(centsOff(voice.sampleFor(pitch, 0.7), pitch)).toBeLessThanOrEqual(6)
    }
  })

  test('starts and ends in silence and fades in between', () => {
    const sample = createStruckVoice(instrument).sampleFor(64, 0.7)
    expect(Math.abs(sample[0]!)).toBeLessThan(0.02)
    expect(Math.abs(sample.at(-1)!)).toBeLessThan(1e-3)
    const level = (from: number) => sample.slice(from, from + 4410).reduce((a, b) => a + b * b, 0)
    expect(level(sample.length - 6000)).toBeLessThan(level(0) * 0.1)
  })
})

test('loops are seamless', () => {
  const loop = createLoopedVoice('strings').loopFor(62)
  let most = 0
  for (let index = 1; index < loopSize; index++) {
    most = Math.max(most, Math.abs(loop[index]! - loop[index - 1]!))
  }
  expect(Math.abs(loop[0]! - loop[loopSize - 1]!)).toBeLessThanOrEqual(most)
})

test('an organ is in tune', () => {
  expect(centsOff(createLoopedVoice('organ').loopFor(69), 69)).toBeLessThanOrEqual(4)
})

test('a bass note is in tune, and starts and ends in silence', () => {
  const hz = pitchToHz(40)
  const note = { hz, fromHz: hz, seconds: 0.6, velocity: 0.8 }
  for (const voice of Object.values(monoVoices)) {
    const samples = renderMonoNote(voice, note)
    // Two detuned oscillators: the mean pitch of one note may be anywhere between them.
    const apart = voice.detuneCents < 100 ? voice.detuneCents : 0
    expect(centsOff(samples, 40)).toBeLessThanOrEqual(6 + apart)
    expect(Math.abs(samples[0]!)).toBeLessThan(0.02)
    expect(Math.abs(samples.at(-1)!)).toBeLessThan(0.02)
  }
})

test('no two consecutive strokes of a drum are the same', () => {
  const hat = createDrumVoice('hat-closed', 1)
  const stroke = { seconds: 0.1, pitch: 60 }
  expect(hat(0, stroke)).not.toEqual(hat(1, stroke))
  expect(hat(0, stroke)).toBe(hat(4, stroke))
})
