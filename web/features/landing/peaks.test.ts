import { expect, test } from 'vitest'
import { barHeights, decodePeaks } from './peaks.ts'

test('returns the loudest peak of each section', () => {
  const peaks = decodePeaks(btoa(String.fromCharCode(0, 255, 51, 102)))
  expect(barHeights(peaks, 2)).toEqual([1, 0.4])
})

test('repeats peaks when there are more bars than peaks', () => {
  expect(barHeights(Uint8Array.of(255, 0), 4)).toEqual([1, 1, 0, 0])
})

test('returns equal low bars for a track that has no waveform', () => {
  expect(barHeights(decodePeaks(null), 3)).toEqual([0.12, 0.12, 0.12])
})
