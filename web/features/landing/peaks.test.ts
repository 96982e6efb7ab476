import { expect, test } from 'vitest'
import { barHeights, decodePeaks } from './peaks.ts'

test('keeps the loudest peak of each section', () => {
  const peaks = decodePeaks(btoa(String.fromCharCode(0, 255, 51, 102)))
  expect(barHeights(peaks, 2)).toEqual([1, 0.4])
})

test('draws more bars than there are peaks', () => {
  expect(barHeights(Uint8Array.of(255, 0), 4)).toEqual([1, 1, 0, 0])
})

test('is flat for a track that has no waveform', () => {
  expect(barHeights(decodePeaks(null), 3)).toEqual([0.12, 0.12, 0.12])
})
