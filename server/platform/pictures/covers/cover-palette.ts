// The colors of one cover: a ramp from dark to light through three related hues. All parts of a picture take their
// colors from this ramp, so that they match.
import { hexFromOklch } from './oklch.ts'
import type { CoverRandom } from './cover-random.ts'

export type Palette = {
  /** Returns `#rrggbb` for a position from 0 (dark) to 1 (light). */
  at: (position: number) => string
}

/** Hues in degrees, for the shadows, the middle tones and the light. */
type Hues = readonly [shadow: number, middle: number, light: number]

const hues = {
  ember: [345, 22, 68],
  rosewater: [325, 2, 48],
  violetHour: [292, 325, 45],
  midnightGold: [275, 300, 82],
  terracotta: [12, 38, 78],
  mulberry: [350, 345, 25],
  lagoon: [262, 215, 95],
  fjord: [245, 225, 52],
  coralInk: [262, 12, 48],
  sage: [200, 168, 84],
  petrol: [222, 200, 72],
  orchid: [310, 345, 75],
} as const satisfies Record<string, Hues>

type HuesName = keyof typeof hues

const all = Object.keys(hues) as [HuesName, ...HuesName[]]
/** Color schemes that suit a mood, by its name in lower case or its slug. */
const moods: Partial<Record<string, readonly [HuesName, ...HuesName[]]>> = {
  focus: ['lagoon', 'fjord', 'petrol', 'midnightGold'],
  'romantic chill': ['rosewater', 'violetHour', 'mulberry', 'orchid'],
  workout: ['ember', 'coralInk', 'terracotta'],
  study: ['sage', 'petrol', 'terracotta', 'fjord'],
  gospel: ['midnightGold', 'orchid', 'violetHour', 'ember'],
}

/** Evenly spaced stops of the ramp. Each uses one of the three hues. */
const stops = [
  { lightness: 0.16, chroma: 0.035, hue: 0 },
  { lightness: 0.27, chroma: 0.075, hue: 0 },
  { lightness: 0.42, chroma: 0.12, hue: 0.6 },
  { lightness: 0.58, chroma: 0.145, hue: 1 },
  { lightness: 0.75, chroma: 0.12, hue: 1.8 },
  { lightness: 0.87, chroma: 0.09, hue: 2 },
  { lightness: 0.96, chroma: 0.035, hue: 2 },
] as const

export function choosePalette(random: CoverRandom, mood?: string): Palette {
  const names = moods[moodKey(mood)] ?? all
  const chosen = hues[random.pick(names)]
  const turn = random.between(-9, 9)
  const vividness = random.between(0.86, 1.12)
  const colors = stops.map(({ lightness, chroma, hue }) => ({
    lightness,
    ...mixHues(chosen, hue, chroma * vividness),
  }))
  return {
    at(position) {
      const place = Math.min(1, Math.max(0, position)) * (stops.length - 1)
      const index = Math.min(stops.length - 2, Math.floor(place))
      const [from, to] = [colors[index]!, colors[index + 1]!]
      const mix = (a: number, b: number) => a + (b - a) * (place - index)
      const [a, b] = [mix(from.a, to.a), mix(from.b, to.b)]
      return hexFromOklch({
        lightness: mix(from.lightness, to.lightness),
        chroma: Math.hypot(a, b),
        hue: (Math.atan2(b, a) * 180) / Math.PI + turn,
      })
    },
  }
}

function moodKey(mood = ''): string {
  return mood.trim().toLowerCase().replaceAll('-', ' ')
}

/**
 * Mixes two hues in a straight line through Oklab instead of around the hue circle: between blue and gold are pale
 * colors, never green.
 */
function mixHues(chosen: Hues, place: number, chroma: number): { a: number; b: number } {
  const index = Math.min(1, Math.floor(place))
  const share = place - index
  const axis = (wave: (angle: number) => number) => {
    const [from, to] = [chosen[index]!, chosen[index + 1]!]
    return (
      chroma * (wave((from * Math.PI) / 180) * (1 - share) + wave((to * Math.PI) / 180) * share)
    )
  }
  return { a: axis(Math.cos), b: axis(Math.sin) }
}
