// Derives the colors of both themes from the owner's accent color. Lightness is adjusted until text has a contrast of
// 4.5:1 and controls 3:1 on every surface (WCAG 2.2). The hue is preserved, and the chroma as far as sRGB allows.

export type Theme = 'dark' | 'light'
export const themes: readonly Theme[] = ['dark', 'light']

/** The tokens of web/base/ui/theme/tokens.css that depend on the accent color. */
export const accentTokens = [
  'accent',
  'accent-end',
  'accent-hover',
  'accent-end-hover',
  'accent-text',
  'accent-wash',
  'on-accent',
] as const
export type AccentToken = (typeof accentTokens)[number]
export type AccentColors = Record<AccentToken, string>

type Rgb = readonly [number, number, number]
interface Oklch {
  l: number
  c: number
  h: number
}

interface ThemeRules {
  /** The surfaces in tokens.css on which the colors appear. A test compares these values with tokens.css. */
  surfaces: readonly Oklch[]
  onAccent: Oklch
  washAlpha: number
  /** Lightness step, in the direction that increases the contrast with the surfaces. */
  step: number
  /** Limits of the initial lightness, so that a very dark or very bright color keeps its hue. */
  range: readonly [number, number]
  hoverStep: number
}

const surface = (l: number, c: number, h: number): Oklch => ({ l, c, h })

export const themeRules: Record<Theme, ThemeRules> = {
  dark: {
    surfaces: [
      surface(0.165, 0.024, 334),
      surface(0.207, 0.028, 334),
      surface(0.252, 0.031, 334),
      surface(0.138, 0.02, 334),
    ],
    onAccent: { l: 0.19, c: 0.045, h: 350 },
    washAlpha: 0.14,
    step: 0.004,
    range: [0.62, 0.9],
    hoverStep: 0.04,
  },
  light: {
    surfaces: [
      surface(0.965, 0.009, 48),
      surface(0.984, 0.005, 48),
      surface(0.998, 0.002, 48),
      surface(0.948, 0.009, 45),
    ],
    onAccent: { l: 0.99, c: 0.005, h: 40 },
    washAlpha: 0.11,
    step: -0.004,
    range: [0.34, 0.58],
    hoverStep: -0.035,
  },
}

/** Hue difference between the two colors of the gradient, as in the default colors. */
const gradientHue = 38
const textContrast = 4.5
const controlContrast = 3
/** Extra contrast, because colors are rounded to 8 bits per channel. */
const margin = 0.03

/** The colors of one theme as `#rrggbb` and `#rrggbbaa`. */
export function deriveAccent(hex: string, theme: Theme): AccentColors {
  const { surfaces, onAccent, washAlpha, hoverStep, range } = themeRules[theme]
  const picked = rgbToOklch(parseHex(hex))
  const grounds = surfaces.map(oklchToRgb)
  const on = oklchToRgb(onAccent)
  const l = Math.min(range[1], Math.max(range[0], picked.l))
  const isFill = (color: Rgb) =>
    contrast(color, on) >= textContrast + margin &&
    grounds.every((ground) => contrast(color, ground) >= controlContrast + margin)
  const accent = settle({ ...picked, l }, theme, isFill)
  const end = settle({ ...picked, l: accent.l + 0.03, h: picked.h + gradientHue }, theme, isFill)
  const wash = oklchToRgb(accent)
  const text = settle(accent, theme, (color) =>
    grounds.every(
      (ground) =>
        contrast(color, ground) >= textContrast + margin &&
        contrast(color, over(wash, washAlpha, ground)) >= textContrast + margin,
    ),
  )
  const hover = (color: Oklch) => settle({ ...color, l: color.l + hoverStep }, theme, isFill)
  return {
    accent: toHex(oklchToRgb(accent)),
    'accent-end': toHex(oklchToRgb(end)),
    'accent-hover': toHex(oklchToRgb(hover(accent))),
    'accent-end-hover': toHex(oklchToRgb(hover(end))),
    'accent-text': toHex(oklchToRgb(text)),
    'accent-wash':
      toHex(wash) +
      Math.round(washAlpha * 255)
        .toString(16)
        .padStart(2, '0'),
    'on-accent': toHex(on),
  }
}

/** The names of all custom properties that `accentProperties` may set. */
export const accentPropertyNames = themes.flatMap((theme) =>
  accentTokens.map((token) => `--own-${theme}-${token}`),
)

/** Custom properties for the root element's style, read by tokens.css. Empty if the owner has set no color. */
export function accentProperties(hex: string | null): [name: string, value: string][] {
  if (hex === null) return []
  return themes.flatMap((theme) =>
    Object.entries(deriveAccent(hex, theme)).map(([token, value]): [string, string] => [
      `--own-${theme}-${token}`,
      value,
    ]),
  )
}

export function buildAccentStyle(hex: string | null): string {
  return accentProperties(hex)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
}

/** The lowest contrast of text and of controls in a theme, rounded down. Shown to the owner. */
export function describeContrast(hex: string, theme: Theme): { text: number; controls: number } {
  const colors = deriveAccent(hex, theme)
  const grounds = themeRules[theme].surfaces.map(oklchToRgb)
  const lowest = (token: AccentToken, against: readonly Rgb[]) =>
    Math.min(...against.map((other) => contrast(parseHex(colors[token]), other)))
  const fills = [parseHex(colors.accent), parseHex(colors['accent-end'])]
  const down = (value: number) => Math.floor(value * 10) / 10
  return {
    text: down(Math.min(lowest('accent-text', grounds), lowest('on-accent', fills))),
    controls: down(Math.min(lowest('accent', grounds), lowest('accent-end', grounds))),
  }
}

/**
 * Changes the lightness, away from that of the surfaces, until the contrast is sufficient. The last step is black or
 * white, whose contrast is always sufficient.
 */
function settle(start: Oklch, theme: Theme, fits: (color: Rgb) => boolean): Oklch {
  const { step } = themeRules[theme]
  let color = start
  while (!fits(oklchToRgb(color)) && color.l > 0 && color.l < 1)
    color = { ...color, l: color.l + step }
  return color
}

/** Converts to sRGB, with as much of the chroma as sRGB can represent at this lightness and hue. */
function oklchToRgb(color: Oklch): Rgb {
  const l = Math.min(1, Math.max(0, color.l))
  let low = 0
  let high = color.c
  if (!isInGamut(oklchToLinear({ ...color, l }))) {
    for (let round = 0; round < 14; round++) {
      const c = (low + high) / 2
      if (isInGamut(oklchToLinear({ ...color, l, c }))) low = c
      else high = c
    }
    high = low
  }
  return map(oklchToLinear({ ...color, l, c: high }), (value) => {
    const clipped = Math.min(1, Math.max(0, value))
    return clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055
  })
}

function isInGamut(rgb: Rgb): boolean {
  return rgb.every((value) => value >= -0.0005 && value <= 1.0005)
}

/** B. Ottosson's matrices, as in CSS Color 4. */
function oklchToLinear({ l: lightness, c, h }: Oklch): Rgb {
  const hue = (h * Math.PI) / 180
  const a = c * Math.cos(hue)
  const b = c * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function rgbToOklch(rgb: Rgb): Oklch {
  const [r, g, b] = map(rgb, toLinear)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(x, y),
    h: (Math.atan2(y, x) * 180) / Math.PI,
  }
}

/** Blends a translucent color over an opaque one in sRGB, as browsers do. */
function over(top: Rgb, alpha: number, ground: Rgb): Rgb {
  return map(top, (value, index) => value * alpha + (ground[index] ?? 0) * (1 - alpha))
}

export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = map(rgb, toLinear)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

export function parseHex(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [part(1), part(3), part(5)]
}

function toHex(rgb: Rgb): string {
  const parts = rgb.map((value) =>
    Math.round(value * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${parts.join('')}`
}

function map(rgb: Rgb, change: (value: number, index: number) => number): Rgb {
  return [change(rgb[0], 0), change(rgb[1], 1), change(rgb[2], 2)]
}
