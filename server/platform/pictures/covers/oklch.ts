// Colors in OKLCH (Björn Ottosson's Oklab in polar form, as in CSS Color 4): lightness 0 to 1, chroma from 0 up to
// about 0.37 in sRGB, hue in degrees.

export type Oklch = { lightness: number; chroma: number; hue: number }

/** Converts sRGB bytes, 0 to 255 each. */
export function oklchFromRgb(red: number, green: number, blue: number): Oklch {
  const [r, g, b] = [linearFromByte(red), linearFromByte(green), linearFromByte(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  const aAxis = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bAxis = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const hue = (Math.atan2(bAxis, aAxis) * 180) / Math.PI
  return { lightness, chroma: Math.hypot(aAxis, bAxis), hue: (hue + 360) % 360 }
}

/** Returns `#rrggbb`. For a color outside sRGB, lowers the chroma until it fits and keeps lightness and hue. */
export function hexFromOklch({ lightness, chroma, hue }: Oklch): string {
  for (let c = chroma; c > 0; c -= 0.004) {
    const rgb = linearRgb({ lightness, chroma: c, hue })
    if (rgb.every((value) => value >= -0.0005 && value <= 1.0005)) return toHex(rgb)
  }
  return toHex(linearRgb({ lightness, chroma: 0, hue }))
}

function linearRgb({ lightness, chroma, hue }: Oklch): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function toHex(linear: number[]): string {
  return `#${linear.map((value) => byteFromLinear(value).toString(16).padStart(2, '0')).join('')}`
}

function linearFromByte(byte: number): number {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function byteFromLinear(linear: number): number {
  const value = Math.min(1, Math.max(0, linear))
  const encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
  return Math.round(encoded * 255)
}
