// Checks each pair of colors in tokens.css that components combine, in both themes, against WCAG 2.2: 4.5:1 for text
// (1.4.3), 3:1 for the parts that identify a control (1.4.11).
import { describe, expect, test } from 'vitest'
import { themeRules, type Theme } from '#contract/fields/accent.ts'
import css from './tokens.css?raw'

type Rgb = [number, number, number]
interface Colour {
  rgb: Rgb
  alpha: number
}

const blocks = [...css.matchAll(/^:root(\[[^\]]*\])?,\n[^{]*\{\n([\s\S]*?)^\}/gm)]
const dark = colors(blocks[0]?.[2] ?? '')
const light = colors(blocks.find((block) => block[1]?.includes('light'))?.[2] ?? '')

const surfaces = ['ground', 'raised', 'raised-high', 'sunken']
const textOnSurface = [
  'text',
  'text-soft',
  'text-faint',
  'accent-text',
  'success',
  'warning',
  'danger',
  'info',
]
const controlOnSurface = ['control-line', 'accent', 'accent-end', 'danger-solid', 'accent-text']
const textOnFill: [text: string, fill: string][] = [
  ['on-accent', 'accent'],
  ['on-accent', 'accent-end'],
  ['on-accent', 'accent-hover'],
  ['on-accent', 'accent-end-hover'],
  ['on-danger', 'danger-solid'],
  ['on-danger', 'danger-solid-hover'],
]
const washes: [text: string, wash: string][] = [
  ['accent-text', 'accent-wash'],
  ['success', 'success-wash'],
  ['warning', 'warning-wash'],
  ['danger', 'danger-wash'],
  ['info', 'info-wash'],
  ['text', 'accent-wash'],
  ['text', 'danger-wash'],
  ['text-soft', 'hover'],
  ['text-faint', 'hover'],
  ['text-soft', 'pressed'],
]

describe.each<[Theme, Map<string, Colour>]>([
  ['dark', dark],
  ['light', light],
])('%s theme', (name, theme) => {
  test('defines the same surface colors as themeRules, from which an owner’s color is computed', () => {
    const { surfaces: known } = themeRules[name]
    expect(known.map(({ l, c, h }) => oklchToRgb(l, c, h))).toEqual(
      surfaces.map((surface) => color(theme, surface).rgb),
    )
  })

  test('defines the same color names as the dark theme', () => {
    expect([...theme.keys()].sort()).toEqual([...dark.keys()].sort())
  })

  test.each(surfaces.flatMap((surface) => textOnSurface.map((text) => [text, surface])))(
    'shows text %s on %s with at least 4.5:1',
    (text, surface) => {
      expect(contrast(theme, text, surface)).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(surfaces.flatMap((surface) => controlOnSurface.map((control) => [control, surface])))(
    'shows control %s on %s with at least 3:1',
    (control, surface) => {
      expect(contrast(theme, control, surface)).toBeGreaterThanOrEqual(3)
    },
  )

  test.each(textOnFill)('shows text %s on the fill %s with at least 4.5:1', (text, fill) => {
    expect(contrast(theme, text, fill)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(surfaces.flatMap((surface) => washes.map(([text, wash]) => [text, wash, surface])))(
    'shows text %s on %s over %s with at least 4.5:1',
    (text, wash, surface) => {
      const ground = over(color(theme, wash), color(theme, surface).rgb)
      expect(ratio(color(theme, text).rgb, ground)).toBeGreaterThanOrEqual(4.5)
    },
  )
})

test('computes the contrast of black on white', () => {
  expect(ratio(oklchToRgb(0, 0, 0), oklchToRgb(1, 0, 0))).toBeCloseTo(21, 1)
})

function colors(block: string): Map<string, Colour> {
  const found = new Map<string, Colour>()
  const declaration =
    /--([\w-]+): (?:var\(--own-[\w-]+, )?oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)\)?;/g
  for (const [, name = '', l, c, h, alpha] of block.matchAll(declaration)) {
    found.set(name, { rgb: oklchToRgb(Number(l), Number(c), Number(h)), alpha: Number(alpha ?? 1) })
  }
  return found
}

function color(theme: Map<string, Colour>, name: string): Colour {
  const found = theme.get(name)
  if (!found) throw new Error(`tokens.css has no color --${name}`)
  return found
}

function contrast(theme: Map<string, Colour>, a: string, b: string): number {
  return ratio(color(theme, a).rgb, color(theme, b).rgb)
}

/** Converts OKLCH to gamma-encoded sRGB, clipped to the gamut (B. Ottosson's matrices, as in CSS Color 4). */
function oklchToRgb(lightness: number, chroma: number, hueDegrees: number): Rgb {
  const hue = (hueDegrees * Math.PI) / 180
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear: Rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return map(linear, (value) => {
    const inGamut = Math.min(1, Math.max(0, value))
    return inGamut <= 0.0031308 ? 12.92 * inGamut : 1.055 * inGamut ** (1 / 2.4) - 0.055
  })
}

/** Returns the color of a translucent color over an opaque one, mixed in sRGB as browsers do. */
function over(top: Colour, ground: Rgb): Rgb {
  return map(top.rgb, (value, index) => value * top.alpha + (ground[index] ?? 0) * (1 - top.alpha))
}

function ratio(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = map(rgb, (value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function map(rgb: Rgb, change: (value: number, index: number) => number): Rgb {
  return [change(rgb[0], 0), change(rgb[1], 1), change(rgb[2], 2)]
}
