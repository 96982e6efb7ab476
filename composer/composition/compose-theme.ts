// Themes define a recognizable rhythm and contour before pitches are chosen. A theme has four bars: a motif, its
// repetition, an answer and a cadence.

import type { Random } from './compose-random.ts'

/** One bar, one character per step: 'x' starts a note, '-' holds it, '.' rests. */
export type Cells = readonly string[]

export type ThemeBar = {
  cell: string
  /** Desired height of each struck note in semitones around the theme's center. */
  contour: readonly number[]
}

export type Theme = { bars: readonly ThemeBar[]; answer: ThemeBar }

const shapes = ['ABAC', 'AABC', 'ABBC', 'ABAC'] as const

/** Contours of a phrase: functions from the position in the phrase (0 to 1) to a height (-1 to 1). */
const curves: readonly ((place: number) => number)[] = [
  (place) => Math.sin(Math.PI * place),
  (place) => 1 - 2 * place,
  (place) => 2 * place - 1,
  (place) => Math.sin(2 * Math.PI * place),
  (place) => -Math.sin(Math.PI * place),
]

export function countStrikes(cell: string): number {
  return cell.split('x').length - 1
}

function drawContour(cell: string, height: number, level: number, random: Random): number[] {
  const count = countStrikes(cell)
  const curve = random.pick(curves)
  return Array.from({ length: count }, (_, index) => {
    const place = count > 1 ? index / (count - 1) : 0.5
    return level + curve(place) * height + random.spread(1)
  })
}

function fallingContour(cell: string, level: number, random: Random): number[] {
  const count = countStrikes(cell)
  return Array.from({ length: count }, (_, index) => level - index * 1.6 + random.spread(1))
}

/** Creates a theme of four bars from the rhythm cells. The last bar and its alternative are cadences. */
export function inventTheme(cells: Cells, cadences: Cells, random: Random): Theme {
  const motif = random.pick(cells)
  const others = cells.filter((cell) => cell !== motif)
  const reply = others.length > 0 ? random.pick(others) : motif
  const height = random.range(2.5, 5)
  const contours: Record<string, readonly number[]> = {
    A: drawContour(motif, height, 0, random),
    B: drawContour(reply, height, random.range(1, 3), random),
  }
  const rise = random.pick([0, 1.5, 2.5])
  const seen: string[] = []
  const bars = [...random.pick(shapes)].map((letter): ThemeBar => {
    const contour = contours[letter]
    if (!contour) {
      const cell = random.pick(cadences)
      return { cell, contour: fallingContour(cell, random.range(0.5, 2.5), random) }
    }
    // Raises a repeated motif a little, so that it becomes a sequence instead of a copy.
    const lift = seen.includes(letter) ? rise : 0
    seen.push(letter)
    return { cell: letter === 'A' ? motif : reply, contour: contour.map((step) => step + lift) }
  })
  const cell = random.pick(cadences)
  return { bars, answer: { cell, contour: fallingContour(cell, random.range(0, 1), random) } }
}

/** Varies a bar as a singer would: a late entry, an omitted note, or an extra note within a long one. */
export function varyBar(bar: ThemeBar, random: Random): ThemeBar {
  const strikes = [...bar.cell].flatMap((char, step) => (char === 'x' ? [step] : []))
  const way = random.integer(3)
  if (way === 0 && strikes.length > 2) {
    const dropped = 1 + random.integer(strikes.length - 1)
    const step = strikes[dropped] ?? 0
    const held = bar.cell[step - 1] === '.' ? '.' : '-'
    return {
      cell: bar.cell.slice(0, step) + held + bar.cell.slice(step + 1),
      contour: bar.contour.filter((_, index) => index !== dropped),
    }
  }
  const hold = bar.cell.indexOf('x---')
  if (way === 1 && hold >= 0) {
    const index = strikes.indexOf(hold)
    const height = bar.contour[index] ?? 0
    const contour = [...bar.contour]
    contour.splice(index + 1, 0, height + random.pick([-2, 2]))
    return { cell: `${bar.cell.slice(0, hold)}x-x-${bar.cell.slice(hold + 4)}`, contour }
  }
  return { cell: bar.cell, contour: bar.contour.map((step) => step + random.spread(1.5)) }
}
