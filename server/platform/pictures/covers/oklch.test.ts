import { expect, test } from 'vitest'
import { hexFromOklch, oklchFromRgb } from './oklch.ts'

// Reference values computed with the conversion code of CSS Color 4.
test.each([
  [[255, 255, 255], { lightness: 1, chroma: 0 }],
  [[0, 0, 0], { lightness: 0, chroma: 0 }],
  [[255, 0, 0], { lightness: 0.628, chroma: 0.2577, hue: 29.23 }],
  [[0, 128, 0], { lightness: 0.5198, chroma: 0.1769, hue: 142.5 }],
  [[0, 0, 255], { lightness: 0.452, chroma: 0.3132, hue: 264.05 }],
] as const)('converts rgb %s', ([red, green, blue], expected) => {
  const color = oklchFromRgb(red, green, blue)
  expect(color.lightness).toBeCloseTo(expected.lightness, 3)
  expect(color.chroma).toBeCloseTo(expected.chroma, 3)
  if ('hue' in expected) expect(color.hue).toBeCloseTo(expected.hue, 1)
})

test('converts back to the same bytes', () => {
  const colors: [number, number, number][] = [
    [12, 200, 77],
    [255, 128, 0],
    [90, 90, 90],
    [250, 240, 245],
  ]
  for (const bytes of colors) {
    const hex = `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    expect(hexFromOklch(oklchFromRgb(...bytes))).toBe(hex)
  }
})

test('keeps lightness and hue of a color outside sRGB', () => {
  const hex = hexFromOklch({ lightness: 0.7, chroma: 0.4, hue: 150 })
  const bytes = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const back = oklchFromRgb(bytes[0]!, bytes[1]!, bytes[2]!)
  expect(back.lightness).toBeCloseTo(0.7, 2)
  expect(back.hue).toBeCloseTo(150, 0)
  expect(back.chroma).toBeLessThan(0.4)
})
