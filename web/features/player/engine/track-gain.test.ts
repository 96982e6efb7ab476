import { describe, expect, test } from 'vitest'
import { makeTrack } from '../../../testing/track-fixture.ts'
import { trackGain } from './playback-source.ts'

const decibels = (gain: number) => 20 * Math.log10(gain)
const album = { album_loudness_lufs: -10, album_true_peak_dbtp: -1 }
const loud = { ...makeTrack(1, { loudness_lufs: -8, true_peak_dbtp: -1 }), ...album }
const quiet = { ...makeTrack(2, { loudness_lufs: -22, true_peak_dbtp: -12 }), ...album }

describe('a release', () => {
  test('has one gain for all its tracks when it is played in order', () => {
    expect(decibels(trackGain(loud, true, false))).toBeCloseTo(-4, 6)
    expect(trackGain(quiet, true, false)).toBe(trackGain(loud, true, false))
  })

  test('has the gain of each track when it is shuffled', () => {
    expect(decibels(trackGain(loud, true, true))).toBeCloseTo(-6, 6)
    expect(decibels(trackGain(quiet, true, true))).toBeCloseTo(8, 6)
  })

  test('never lifts the loudest peak of the release over the ceiling', () => {
    const track = { ...quiet, album_loudness_lufs: -20, album_true_peak_dbtp: -3 }
    expect(decibels(trackGain(track, true, false))).toBeCloseTo(2, 6)
  })

  test('has no gain when leveling is off', () => {
    expect(trackGain(loud, false, false)).toBe(1)
  })
})

test('falls back to the gain of each track for other lists and for queues saved by earlier versions', () => {
  const { album_loudness_lufs: _, album_true_peak_dbtp: __, ...old } = loud
  expect(decibels(trackGain(old, true, false))).toBeCloseTo(-6, 6)
  expect(decibels(trackGain({ ...loud, album_loudness_lufs: null }, true, false))).toBeCloseTo(
    -6,
    6,
  )
})
