import { describe, expect, test } from 'vitest'
import {
  accentProperties,
  buildAccentStyle,
  accentTokens,
  contrast,
  deriveAccent,
  parseHex,
  themes,
} from './accent.ts'

/** Every sixth value of each channel, and the extremes. */
const steps = [0, 1, 43, 86, 128, 171, 213, 254, 255]
const hexByte = (value: number) => value.toString(16).padStart(2, '0')
const colors = steps.flatMap((r) =>
  steps.flatMap((g) => steps.map((b) => `#${hexByte(r)}${hexByte(g)}${hexByte(b)}`)),
)

describe.each(themes)('in the %s theme', (theme) => {
  test(`contrast is at least 4.5:1 for text and 3:1 for controls with each of ${colors.length} colors`, () => {
    const grounds = surfaceColors(theme)
    for (const color of colors) {
      const derived = deriveAccent(color, theme)
      const of = (token: keyof typeof derived) => parseHex(derived[token])
      const wash = Number.parseInt(derived['accent-wash'].slice(7), 16) / 255
      for (const ground of grounds) {
        const washed = ground.map(
          (value, at) => (of('accent-wash')[at] ?? 0) * wash + value * (1 - wash),
        ) as unknown as Rgb
        expect(contrast(of('accent'), ground), color).toBeGreaterThanOrEqual(3)
        expect(contrast(of('accent-end'), ground), color).toBeGreaterThanOrEqual(3)
        expect(contrast(of('accent-text'), ground), color).toBeGreaterThanOrEqual(4.5)
        expect(contrast(of('accent-text'), washed), color).toBeGreaterThanOrEqual(4.5)
      }
      for (const fill of ['accent', 'accent-end', 'accent-hover', 'accent-end-hover'] as const) {
        expect(contrast(of('on-accent'), of(fill)), `${color} ${fill}`).toBeGreaterThanOrEqual(4.5)
      }
    }
  })
})

test('keeps the hue in both themes: blue remains blue', () => {
  for (const theme of themes) {
    const [r, , b] = parseHex(deriveAccent('#2b50ff', theme).accent)
    expect(b).toBeGreaterThan(r)
  }
})

test('sets every token for both themes, and none if the owner has set no color', () => {
  expect(accentProperties('#2b50ff').map(([name]) => name)).toEqual(
    themes.flatMap((theme) => accentTokens.map((token) => `--own-${theme}-${token}`)),
  )
  expect(buildAccentStyle('#2b50ff')).toMatch(/^(--own-[a-z-]+:#[0-9a-f]{6,8};?){14}$/)
  expect(buildAccentStyle(null)).toBe('')
})

type Rgb = ReturnType<typeof parseHex>

/** The colors of the surfaces in tokens.css, converted as a browser does. */
function surfaceColors(theme: 'dark' | 'light'): Rgb[] {
  const hex = {
    dark: ['#150a13', '#1f121c', '#2a1b27', '#0e060d'],
    light: ['#f9f2ee', '#fdf9f7', '#fffefe', '#f4edea'],
  }
  return hex[theme].map(parseHex)
}
