// A close-up of a record: rings like a landscape, with light reflected in the grooves.
import type { Palette } from './cover-palette.ts'
import type { CoverRandom } from './cover-random.ts'
import { circle, ramp, round, type Composition, type Point, type Sketch } from './sketch.ts'

export const vinylArcs: Composition = (sketch, palette, random) => {
  const corner = random.pick<Point>([
    [0, 0],
    [1000, 0],
    [0, 1000],
    [1000, 1000],
    [500, 1000],
    [500, 0],
  ])
  const inwards = (from: number) => from + (500 - from) * random.between(0.1, 0.5)
  const center: Point = [inwards(corner[0]), inwards(corner[1])]
  const opposite: Point = [1000 - corner[0], 1000 - corner[1]]
  const far = random.between(0.72, 0.88)
  sketch.background(sketch.linear(opposite, center, ramp(palette, far, 0.5)))
  const edge = random.between(640, 860)
  const label = random.between(150, 235)
  const below: Point = [center[0] + 10, center[1] + 16]
  sketch.add(circle(below, edge + 6, `fill="${palette.at(0)}" fill-opacity="0.28"`))
  const black = sketch.radial(center, edge, ramp(palette, 0.22, 0.05))
  sketch.add(circle(center, edge, `fill="${black}"`))
  drawGrooves(sketch, palette, random, { center, edge, label })
  drawSheen(sketch, palette, random, { center, edge, label })
  drawLabel(sketch, palette, center, label)
}

/** Radii of the record and of its label, in canvas units. */
type Vinyl = { center: Point; edge: number; label: number }

function drawGrooves(sketch: Sketch, palette: Palette, random: CoverRandom, vinyl: Vinyl): void {
  const { center, edge, label } = vinyl
  for (let radius = edge - 14; radius > label + 14; radius -= random.between(5, 11)) {
    const isGap = random.chance(0.07)
    const color = palette.at(isGap ? 0.02 : random.between(0.3, 0.56))
    const width = isGap ? 7 : round(random.between(0.8, 2.6))
    const line = `stroke="${color}" stroke-width="${width}" stroke-opacity="${isGap ? 0.9 : 0.4}"`
    sketch.add(circle(center, radius, `fill="none" ${line}`))
  }
}

function drawSheen(sketch: Sketch, palette: Palette, random: CoverRandom, vinyl: Vinyl): void {
  const { center, edge } = vinyl
  const toMiddle = (Math.atan2(500 - center[1], 500 - center[0]) * 180) / Math.PI
  const beams = [
    { turn: random.between(-32, -12), strength: 0.5 },
    { turn: random.between(14, 34), strength: 0.3 },
    { turn: 180, strength: 0.3 },
  ]
  const layers = 9
  for (const { turn, strength } of beams) {
    for (let layer = layers; layer > 0; layer -= 1) {
      const path = wedge(center, edge, toMiddle + turn, layer * 2.3)
      const fill = `fill="${palette.at(0.8)}" fill-opacity="${round(strength / layers, 3)}"`
      sketch.add(`<path d="${path}" ${fill}/>`)
    }
  }
}

function drawLabel(sketch: Sketch, palette: Palette, center: Point, label: number): void {
  const lit: Point = [center[0] - label / 2, center[1] - label / 2]
  const paper = sketch.radial(lit, label * 2, ramp(palette, 0.94, 0.5))
  const ring = `stroke="${palette.at(0.3)}" stroke-opacity="0.35" stroke-width="2"`
  sketch.add(
    circle(center, label, `fill="${paper}"`),
    circle(center, label * 0.66, `fill="none" ${ring}`),
    circle(center, 15, `fill="${palette.at(0.1)}"`),
  )
}

/** Path data of a sector of the record that extends `half` degrees to each side of `heading`. */
function wedge([x, y]: Point, radius: number, heading: number, half: number): string {
  const at = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180
    return `${round(x + radius * Math.cos(angle))} ${round(y + radius * Math.sin(angle))}`
  }
  const r = round(radius)
  return `M${round(x)} ${round(y)}L${at(heading - half)}A${r} ${r} 0 0 1 ${at(heading + half)}Z`
}
