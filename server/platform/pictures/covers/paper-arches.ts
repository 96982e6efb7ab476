// Arches cut from colored paper, each casting a shadow on the next.
import type { Palette } from './cover-palette.ts'
import {
  canvasSide,
  circle,
  ramp,
  round,
  type Composition,
  type Point,
  type Sketch,
} from './sketch.ts'

export const paperArches: Composition = (sketch, palette, random) => {
  sketch.background(
    sketch.linear(
      [0, 0],
      [0, 1000],
      ramp(palette, random.between(0.88, 0.96), random.between(0.7, 0.8)),
    ),
  )
  const isMirrored = random.chance(0.5)
  const across = (x: number) => (isMirrored ? canvasSide - x : x)
  const sun: Point = [across(random.between(240, 760)), random.between(170, 300)]
  sketch.glow(sun, 420, palette.at(1), 0.6)
  sketch.add(
    circle(sun, random.between(70, 120), `fill="${palette.at(random.between(0.52, 0.62))}"`),
  )
  const sets = [
    { x: random.between(90, 300), width: random.between(330, 450), top: random.between(420, 540) },
    { x: random.between(700, 910), width: random.between(330, 470), top: random.between(360, 500) },
    { x: random.between(380, 620), width: random.between(280, 390), top: random.between(590, 700) },
  ]
  for (const [i, set] of sets.entries()) {
    const bands = random.whole(4, 6)
    const [outer, inner] = i === 1 ? [0.12, 0.72] : [0.66 - 0.12 * i, 0.1]
    for (let band = 0; band < bands; band += 1) {
      const share = band / bands
      const tone = outer + (inner - outer) * (band / (bands - 1))
      drawArch(sketch, palette, {
        ...set,
        x: across(set.x),
        half: set.width * (1 - share * 0.86),
        tone,
      })
    }
  }
}

type Arch = { x: number; top: number; width: number; half: number; tone: number }

function drawArch(sketch: Sketch, palette: Palette, { x, top, width, half, tone }: Arch): void {
  const crown = top + (width - half)
  const path = (grow: number, dx: number) => {
    const r = round(half + grow)
    const left = round(x - r + dx)
    const right = round(x + r + dx)
    const shoulder = round(crown + half)
    return `M${left} 1010V${shoulder}A${r} ${r} 0 0 1 ${right} ${shoulder}V1010Z`
  }
  for (const grow of [12, 8, 4]) {
    sketch.add(`<path d="${path(grow, 3)}" fill="${palette.at(0)}" fill-opacity="0.07"/>`)
  }
  const paint = sketch.linear(
    [x - half, crown],
    [x + half * 0.6, crown + half * 2.4],
    [
      [0, palette.at(tone + 0.07)],
      [0.5, palette.at(tone)],
      [1, palette.at(tone - 0.05)],
    ],
  )
  sketch.add(`<path d="${path(0, 0)}" fill="${paint}"/>`)
}
