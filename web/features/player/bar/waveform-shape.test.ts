import { describe, expect, test } from 'vitest'
import { barLevels, barPath, decodePeaks } from './waveform-shape.ts'

test('decodes peaks from base64 and returns an empty array for invalid input', () => {
  expect([...decodePeaks(btoa('\x00\x7f\xff'))]).toEqual([0, 127, 255])
  expect(decodePeaks(null).length).toBe(0)
  expect(decodePeaks('***').length).toBe(0)
})

describe('bars', () => {
  const peaks = Uint8Array.from({ length: 800 }, (_, at) => (at < 400 ? 51 : 255))

  test('show the maximum of their section', () => {
    expect(barLevels(Uint8Array.of(0, 255, 51, 102), 2)).toEqual([1, 0.4])
    expect(barLevels(peaks, 4)).toEqual([0.2, 0.2, 1, 1])
  })

  test('may outnumber the peaks', () => {
    expect(barLevels(Uint8Array.of(51, 255), 4)).toEqual([0.2, 0.2, 1, 1])
  })

  test('show only the part of the track that a preview plays', () => {
    expect(barLevels(peaks, 4, 0.5)).toEqual([0.2, 0.2, 0.2, 0.2])
    expect(barLevels(peaks, 1, 0).length).toBe(1)
  })

  test('are a flat line when there are no peaks, and a dot in silence', () => {
    expect(new Set(barLevels(new Uint8Array(), 30)).size).toBe(1)
    expect(barLevels(Uint8Array.of(0, 0), 1)[0]).toBeGreaterThan(0)
  })
})

test('draws a path with one stroke per bar inside the box', () => {
  const path = barPath([0.5, 1], 10, 20)
  expect(path.match(/M/g)?.length).toBe(2)
  const strokes = [...path.matchAll(/M([\d.]+) ([\d.]+)v([\d.]+)/g)].map((found) =>
    found.slice(1).map(Number),
  )
  for (const [x = NaN, top = NaN, length = NaN] of strokes) {
    expect(x).toBeGreaterThan(0)
    expect(x).toBeLessThan(10)
    expect(top + length).toBeLessThanOrEqual(20)
  }
})
