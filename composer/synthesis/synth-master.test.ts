import { describe, expect, test } from 'vitest'
import { createRandom } from '../composition/compose-random.ts'
import { inverseReal } from './synth-fourier.ts'
import { limit } from './synth-limiter.ts'
import { measureLoudness } from './synth-loudness.ts'
import { decibelsToGain, findPeak, sampleRate } from './synth-stereo.ts'

function sine(hz: number, gain: number, seconds: number): Float32Array {
  const radians = (2 * Math.PI * hz) / sampleRate
  return Float32Array.from({ length: seconds * sampleRate }, (_, index) => {
    return gain * Math.sin(radians * index + 0.7)
  })
}

describe('measureLoudness', () => {
  // EBU Tech 3341, test cases 1 and 2.
  test.each([-23, -33])(
    'a stereo sine of 1 kHz at %d dBFS measures the same value in LUFS',
    (level) => {
      const left = sine(1000, decibelsToGain(level), 20)
      expect(measureLoudness({ left, right: left })).toBeCloseTo(level, 1)
    },
  )

  // Test case 3: the quiet parts fall below the relative gate.
  test('excludes gated silence', () => {
    const quiet = sine(1000, decibelsToGain(-36), 10)
    const loud = sine(1000, decibelsToGain(-23), 60)
    const left = new Float32Array(quiet.length * 2 + loud.length)
    left.set(quiet)
    left.set(loud, quiet.length)
    left.set(quiet, quiet.length + loud.length)
    expect(measureLoudness({ left, right: left })).toBeCloseTo(-23, 0)
  })

  test('returns -Infinity for silence', () => {
    const left = new Float32Array(sampleRate)
    expect(measureLoudness({ left, right: left })).toBe(-Infinity)
  })
})

describe('limit', () => {
  test('keeps every peak below the ceiling, including sudden bursts', () => {
    const random = createRandom(1, 'limiter')
    const left = sine(220, 0.4, 2)
    for (let burst = 0; burst < 40; burst++) {
      const start = random.integer(left.length - 300)
      for (let index = start; index < start + 200; index++) left[index]! += random.range(-3, 3)
    }
    const stereo = { left, right: left.map((value) => value * 0.5) }
    limit(stereo, 0.84, 0.12)
    expect(findPeak(stereo.left)).toBeLessThanOrEqual(0.841)
  })

  test('detects a peak between samples: a sine of a quarter of the sample rate, sampled beside its peaks', () => {
    // With this phase, the samples reach only 0.707 of the sine's amplitude.
    const left = Float32Array.from({ length: sampleRate }, (_, index) => {
      return 1.2 * Math.sin((Math.PI / 2) * index + Math.PI / 4)
    })
    limit({ left, right: left.slice() }, 0.84, 0.12)
    expect(findPeak(left.subarray(1000, -1000)) * Math.SQRT2).toBeLessThan(0.84 * 1.03)
  })

  test('leaves quiet sound unchanged', () => {
    const left = sine(220, 0.4, 1)
    const before = left.slice()
    limit({ left, right: left.slice() }, 0.84, 0.12)
    expect(left).toEqual(before)
  })
})

test('inverseReal turns one bin into one cosine', () => {
  const real = new Float64Array(32)
  const imaginary = new Float64Array(32)
  real[3] = Math.cos(0.4)
  imaginary[3] = Math.sin(0.4)
  const signal = inverseReal(real, imaginary)
  const gain = signal[0]! / Math.cos(0.4)
  expect(gain).toBeGreaterThan(0)
  signal.forEach((value, index) => {
    expect(value).toBeCloseTo(gain * Math.cos((2 * Math.PI * 3 * index) / 64 + 0.4), 5)
  })
})
