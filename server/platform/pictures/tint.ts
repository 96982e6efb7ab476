// Computes the tint of a picture: its most prominent hue, with limited lightness and chroma, so that text on it is
// readable in both themes.
import { hexFromOklch, oklchFromRgb, type Oklch } from './covers/oklch.ts'

const hueSectors = 24
/** A pixel with less chroma is gray and does not count for the hue. */
const grayChroma = 0.025
/** Minimum weighted fraction of colored pixels. With fewer, the picture counts as gray. */
const minColorShare = 0.02
const lightnessRange = [0.46, 0.7] as const
const chromaRange = [0.06, 0.15] as const
/** The tint of gray pictures: a gray with a little plum. */
const neutral = { chroma: 0.018, hue: 350 }

/** Returns `#rrggbb` for the RGB bytes of a small version of the picture. */
export function findTint(rgb: Uint8Array): string {
  const pixels = Array.from({ length: Math.floor(rgb.length / 3) }, (_, i) =>
    oklchFromRgb(rgb[3 * i] ?? 0, rgb[3 * i + 1] ?? 0, rgb[3 * i + 2] ?? 0),
  )
  const weights = smoothRing(sectorWeights(pixels))
  const strongest = weights.indexOf(Math.max(...weights))
  const color = averageAround(pixels, strongest)
  if (!color || Math.max(...weights) < minColorShare * pixels.length * grayChroma) {
    const lightness = mean(pixels.map((pixel) => pixel.lightness))
    return hexFromOklch({ lightness: clamp(lightness, lightnessRange), ...neutral })
  }
  return hexFromOklch({
    lightness: clamp(color.lightness, lightnessRange),
    chroma: clamp(color.chroma, chromaRange),
    hue: color.hue,
  })
}

/** The weight of a pixel. Vivid pixels of medium lightness have most, shadows and highlights little. */
function salience({ lightness, chroma }: Oklch): number {
  if (chroma < grayChroma) return 0
  const middling = Math.max(0, 1 - Math.abs(lightness - 0.62) / 0.55)
  return chroma * middling
}

function getSector({ hue }: Oklch): number {
  return Math.floor((hue / 360) * hueSectors) % hueSectors
}

function sectorWeights(pixels: Oklch[]): number[] {
  const weights = Array.from({ length: hueSectors }, () => 0)
  for (const pixel of pixels) weights[getSector(pixel)]! += salience(pixel)
  return weights
}

/** Averages neighboring sectors, so that a color near the edge of a sector does not lose half its weight. */
function smoothRing(weights: number[]): number[] {
  const at = (i: number) => weights[(i + hueSectors) % hueSectors] ?? 0
  return weights.map((weight, i) => weight + 0.5 * (at(i - 1) + at(i + 1)))
}

function averageAround(pixels: Oklch[], sector: number): Oklch | undefined {
  const center = ((sector + 0.5) * 360) / hueSectors
  const near = pixels.filter((pixel) => Math.abs(hueOffset(pixel.hue, center)) < 540 / hueSectors)
  const total = near.reduce((sum, pixel) => sum + salience(pixel), 0)
  if (total === 0) return undefined
  const average = (value: (pixel: Oklch) => number) =>
    near.reduce((sum, pixel) => sum + value(pixel) * salience(pixel), 0) / total
  return {
    lightness: average((pixel) => pixel.lightness),
    chroma: average((pixel) => pixel.chroma),
    hue: (center + average((pixel) => hueOffset(pixel.hue, center)) + 360) % 360,
  }
}

/** Signed difference from `center` to `hue` in degrees, from -180 to 180. */
function hueOffset(hue: number, center: number): number {
  return ((hue - center + 540) % 360) - 180
}

function clamp(value: number, [low, high]: readonly [number, number]): number {
  return Math.min(high, Math.max(low, value))
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
