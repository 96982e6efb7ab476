// Leaves in front of a large moon: distant ones fade into haze, near ones are almost black.
import type { Palette } from './cover-palette.ts'
import type { CoverRandom } from './cover-random.ts'
import { circle, ramp, round, type Composition, type Point } from './sketch.ts'

export const botanical: Composition = (sketch, palette, random) => {
  sketch.background(
    sketch.linear(
      [0, 0],
      [random.between(-200, 200), 1000],
      ramp(palette, random.between(0.28, 0.42), random.between(0.7, 0.84)),
    ),
  )
  const moon: Point = [random.between(360, 640), random.between(330, 470)]
  const radius = random.between(210, 300)
  sketch.glow(moon, radius * 2.6, palette.at(0.9), 0.6)
  sketch.add(
    circle(
      moon,
      radius,
      `fill="${sketch.linear([0, moon[1] - radius], [0, moon[1] + radius], ramp(palette, 0.98, 0.76))}"`,
    ),
  )
  const kind = random.pick(['slender', 'round', 'willow'] as const)
  const layers = [
    { tone: 0.5, count: 4, size: 0.75, opacity: 0.55 },
    { tone: 0.26, count: 4, size: 1, opacity: 0.9 },
    { tone: 0.06, count: 3, size: 1.15, opacity: 1 },
  ]
  for (const layer of layers) {
    for (let i = 0; i < layer.count; i += 1) {
      const foot = ((i + random.between(0.1, 0.9)) / layer.count) * 1200 - 100
      sketch.add(drawStem(palette, random, kind, foot, layer))
    }
  }
  sketch.glow([500, 1060], 620, palette.at(0.05), 0.5)
}

type LeafKind = 'slender' | 'round' | 'willow'
type Layer = { tone: number; size: number; opacity: number }

function drawStem(
  palette: Palette,
  random: CoverRandom,
  kind: LeafKind,
  foot: number,
  layer: Layer,
): string {
  const height = random.between(470, 800) * (0.72 + 0.28 * layer.size)
  const bend = random.between(-240, 240)
  const at = (share: number): Point => [
    foot + bend * share ** 1.8,
    1030 - height * share + Math.abs(bend) * 0.25 * share ** 2,
  ]
  const leaves = kind === 'round' ? 10 : 13
  const parts = Array.from({ length: leaves }, (_, i) => {
    const share = 0.24 + (0.76 * i) / (leaves - 1)
    const [x, y] = at(share)
    const [beforeX, beforeY] = at(share - 0.02)
    const heading = (Math.atan2(y - beforeY, x - beforeX) * 180) / Math.PI
    // Leaves are largest a third of the way up and small again towards the tip.
    const size =
      layer.size *
      (0.45 + 0.7 * Math.sin(Math.PI * (0.2 + 0.72 * share))) *
      random.between(0.85, 1.1)
    const isTip = i === leaves - 1
    return (isTip ? [0] : [-1, 1])
      .map((side) => {
        const spread = side * (kind === 'round' ? 62 : 44) * random.between(0.85, 1.15)
        const turn = `rotate(${round(heading + spread)})`
        return `<path d="${leafPath(kind, size)}" transform="translate(${round(x)} ${round(y)})${turn}"/>`
      })
      .join('')
  })
  const spine = Array.from({ length: 12 }, (_, i) =>
    at(i / 11)
      .map((value) => round(value))
      .join(' '),
  ).join('L')
  const width = round(3.4 * layer.size)
  const line = `<path d="M${spine}" fill="none" stroke="${palette.at(layer.tone)}" stroke-width="${width}"/>`
  return `<g fill="${palette.at(layer.tone)}" opacity="${layer.opacity}">${line}${parts.join('')}</g>`
}

/** Path data of a leaf along the x axis, with its base at the origin. */
function leafPath(kind: LeafKind, size: number): string {
  const shape = { slender: [140, 19, 0.35], round: [74, 27, 0.5], willow: [185, 15, 0.3] }[kind]
  const [length, half, belly] = shape.map((value, i) => (i < 2 ? value * size : value)) as [
    number,
    number,
    number,
  ]
  const x1 = round(length * belly * 0.6)
  const x2 = round(length * (belly + 0.32))
  const h = round(half * 1.25)
  const l = round(length)
  return `M0 0C${x1} ${-h} ${x2} ${-h} ${l} 0C${x2} ${h} ${x1} ${h} 0 0Z`
}
