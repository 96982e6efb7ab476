import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crossfadeGains, elementVolume, levellingGain, volumeGain } from './output-level.ts'

const decibels = (gain: number) => 20 * Math.log10(gain)

describe('the volume slider', () => {
  test('reaches silence and full level, and rises steadily', () => {
    expect([volumeGain(0), volumeGain(100)]).toEqual([0, 1])
    for (let volume = 1; volume <= 100; volume += 1) {
      expect(volumeGain(volume)).toBeGreaterThan(volumeGain(volume - 1))
    }
  })

  test('attenuates by 10 to 12 dB at the midpoint, about half as loud', () => {
    expect(decibels(volumeGain(50))).toBeCloseTo(-12, 0)
  })

  test('clamps values out of range', () => {
    expect([volumeGain(-5), volumeGain(300)]).toEqual([0, 1])
  })
})

describe('leveling', () => {
  test.each([
    ['a loud track goes down to the target', -8, -1, -6],
    ['a quiet track comes up to the target', -20, -12, 6],
    ['a quiet track with peaks stops at the ceiling', -20, -4, 3],
    ['a track whose peaks are over the ceiling goes below the target', -14, 0.5, -1.5],
    ['a track at the target stays', -14, -3, 0],
  ])('%s', (_, loudness_lufs, true_peak_dbtp, expectedDb) => {
    expect(decibels(levellingGain({ loudness_lufs, true_peak_dbtp }))).toBeCloseTo(expectedDb, 6)
  })

  test('applies no gain without a loudness measurement and never raises a track without a measured peak', () => {
    expect(levellingGain({ loudness_lufs: null, true_peak_dbtp: -1 })).toBe(1)
    expect(levellingGain({ loudness_lufs: -20, true_peak_dbtp: null })).toBe(1)
    expect(decibels(levellingGain({ loudness_lufs: -9, true_peak_dbtp: null }))).toBeCloseTo(-5, 6)
  })

  test('never exceeds the target or the ceiling for any measured loudness and peak', () => {
    const measured = fc.double({ min: -70, max: 5, noNaN: true })
    fc.assert(
      fc.property(measured, measured, (loudness_lufs, true_peak_dbtp) => {
        const gainDb = decibels(levellingGain({ loudness_lufs, true_peak_dbtp }))
        expect(loudness_lufs + gainDb).toBeLessThan(-14 + 1e-9)
        expect(true_peak_dbtp + gainDb).toBeLessThan(-1 + 1e-9)
      }),
    )
  })
})

test("clamps an element's volume to its valid range", () => {
  expect(elementVolume(0.5, 4)).toBe(1)
  expect(elementVolume(0.5, 0.5, 0.5)).toBe(0.125)
  expect(elementVolume(-1)).toBe(0)
})

test('keeps constant power during a crossfade', () => {
  for (const progress of [0, 0.1, 0.25, 0.5, 0.9, 1]) {
    const { from, to } = crossfadeGains(progress)
    expect(from ** 2 + to ** 2).toBeCloseTo(1, 10)
  }
  expect(crossfadeGains(-1)).toEqual({ from: 1, to: 0 })
  expect(crossfadeGains(2).to).toBe(1)
})
