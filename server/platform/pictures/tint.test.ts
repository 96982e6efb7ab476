import { expect, test } from 'vitest'
import { oklchFromRgb } from './covers/oklch.ts'
import { findTint } from './tint.ts'

type Rgb = readonly [number, number, number]

/** Creates pixels from colors and the number of pixels of each. */
function pixels(...shares: [color: Rgb, count: number][]): Uint8Array {
  return Uint8Array.from(
    shares.flatMap(([rgb, count]) => Array.from({ length: count }, () => rgb).flat()),
  )
}

function computeTint(rgb: Uint8Array) {
  const hex = findTint(rgb)
  expect(hex).toMatch(/^#[0-9a-f]{6}$/)
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return oklchFromRgb(red!, green!, blue!)
}

const rose: Rgb = [214, 60, 110]
const black: Rgb = [8, 6, 8]
const gray: Rgb = [120, 120, 120]

test('returns the color of a small vivid object on a black background', () => {
  const tint = computeTint(pixels([black, 900], [rose, 100]))
  expect(Math.abs(tint.hue - oklchFromRgb(...rose).hue)).toBeLessThan(6)
})

test('returns the larger of two vivid colors', () => {
  const blue: Rgb = [40, 90, 220]
  const tint = computeTint(pixels([blue, 650], [rose, 350]))
  expect(Math.abs(tint.hue - oklchFromRgb(...blue).hue)).toBeLessThan(6)
})

test.each([
  ['white', [255, 255, 255]],
  ['black', [0, 0, 0]],
  ['neon', [0, 255, 0]],
  ['mud', [70, 60, 40]],
  ['rose', rose],
] as const)('limits lightness and chroma of %s', (_name, rgb) => {
  const tint = computeTint(pixels([rgb, 1000]))
  expect(tint.lightness).toBeGreaterThan(0.44)
  expect(tint.lightness).toBeLessThan(0.72)
  expect(tint.chroma).toBeLessThan(0.16)
})

test('ignores a few colored specks in a gray picture', () => {
  expect(computeTint(pixels([gray, 998], [rose, 2])).chroma).toBeLessThan(0.03)
})
