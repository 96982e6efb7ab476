// A picture while it is drawn: its SVG shapes in order, and the gradients they use. The canvas is 1000 × 1000 units.
// Soft edges are gradients, because blurs take a hundred times as long.
import type { Palette } from './cover-palette.ts'
import type { CoverRandom } from './cover-random.ts'

export const canvasSide = 1000

export type Point = readonly [x: number, y: number]
/** Offset from 0 to 1, color, and opacity from 0 to 1. */
export type Stop = readonly [offset: number, color: string, opacity?: number]

/** A function that draws one kind of picture. */
export type Composition = (sketch: Sketch, palette: Palette, random: CoverRandom) => void

export interface Sketch {
  add: (...shapes: string[]) => void
  /** Adds a linear gradient from one point to another and returns its reference. */
  linear: (from: Point, to: Point, stops: Stop[]) => string
  /** Adds a radial gradient around a point and returns its reference. */
  radial: (center: Point, radius: number, stops: Stop[]) => string
  background: (paint: string) => void
  /** Draws a disc of light with a soft edge. */
  glow: (center: Point, radius: number, color: string, opacity: number) => void
  toSvg: () => string
}

export function createSketch(): Sketch {
  const definitions: string[] = []
  const shapes: string[] = []

  function define(element: string, geometry: string, stops: Stop[]): string {
    const id = `p${definitions.length}`
    const children = stops.map(([offset, color, opacity = 1]) => {
      const alpha = opacity === 1 ? '' : ` stop-opacity="${round(opacity, 3)}"`
      return `<stop offset="${round(offset, 3)}" stop-color="${color}"${alpha}/>`
    })
    definitions.push(
      `<${element} id="${id}" gradientUnits="userSpaceOnUse" ${geometry}>`,
      ...children,
      `</${element}>`,
    )
    return `url(#${id})`
  }

  function radial([cx, cy]: Point, radius: number, stops: Stop[]): string {
    return define(
      'radialGradient',
      `cx="${round(cx)}" cy="${round(cy)}" r="${round(radius)}"`,
      stops,
    )
  }

  return {
    radial,
    add: (...added) => void shapes.push(...added),
    linear([x1, y1], [x2, y2], stops) {
      const line = `x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"`
      return define('linearGradient', line, stops)
    },
    background(paint) {
      shapes.push(`<rect width="${canvasSide}" height="${canvasSide}" fill="${paint}"/>`)
    },
    glow(center, radius, color, opacity) {
      const paint = radial(center, radius, fadeOut(color, opacity))
      shapes.push(circle(center, radius, `fill="${paint}"`))
    },
    toSvg: () =>
      [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${canvasSide} ${canvasSide}">`,
        `<defs>${definitions.join('')}</defs>`,
        ...shapes,
        '</svg>',
      ].join(''),
  }
}

/** Stops that fade to transparent smoothly, without the visible edge of a linear fade. */
export function fadeOut(color: string, opacity: number): Stop[] {
  return [0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1].map(
    (offset) => [offset, color, opacity * (1 - offset) ** 2 * (1 + 2 * offset)] as const,
  )
}

/**
 * Returns evenly spaced stops along the palette. A plain sRGB gradient between two distant colors would look muddy.
 */
export function ramp(palette: Palette, from: number, to: number, count = 8): Stop[] {
  return Array.from({ length: count }, (_, i) => {
    const share = i / (count - 1)
    return [share, palette.at(from + (to - from) * share)] as const
  })
}

export function circle([cx, cy]: Point, radius: number, attributes: string): string {
  return `<circle cx="${round(cx)}" cy="${round(cy)}" r="${round(radius)}" ${attributes}/>`
}

/** Returns a smooth line through points (Catmull-Rom as cubic Béziers) as path data without its first point. */
export function smoothPath(points: Point[]): string {
  return points
    .slice(0, -1)
    .map((point, i) => {
      const before = points[Math.max(0, i - 1)]!
      const next = points[i + 1]!
      const after = points[Math.min(points.length - 1, i + 2)]!
      const c1 = [point[0] + (next[0] - before[0]) / 6, point[1] + (next[1] - before[1]) / 6]
      const c2 = [next[0] - (after[0] - point[0]) / 6, next[1] - (after[1] - point[1]) / 6]
      return `C${[...c1, ...c2, ...next].map((value) => round(value)).join(' ')}`
    })
    .join('')
}

export function moveTo([x, y]: Point): string {
  return `M${round(x)} ${round(y)}`
}

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits))
}
