// A flower of overlapping petals that are brighter where they overlap.
import { circle, ramp, round, type Composition, type Point } from './sketch.ts'

export const petalBloom: Composition = (sketch, palette, random) => {
  const center: Point = [500 + random.between(-90, 90), 500 + random.between(-90, 90)]
  sketch.background(sketch.radial(center, 820, ramp(palette, random.between(0.3, 0.42), 0.04)))
  sketch.glow(center, 620, palette.at(0.6), 0.7)
  const rings = random.whole(2, 3)
  const petals = random.pick([8, 10, 12, 16] as const)
  for (let ring = 0; ring < rings; ring += 1) {
    const length = (430 - ring * 105) * random.between(0.9, 1.1)
    const half = length * random.between(0.24, 0.4)
    const turn = random.between(0, 360 / petals)
    const tone = 0.5 + 0.2 * ring
    const paint = sketch.linear(
      [0, 0],
      [length, 0],
      [
        [0, palette.at(Math.min(1, tone + 0.3)), 0.5],
        [0.45, palette.at(tone + 0.1), 0.42],
        [1, palette.at(tone - 0.16), 0.3],
      ],
    )
    const c1 = round(length * 0.3)
    const c2 = round(length * 0.85)
    const h = round(half)
    const d = `M0 0C${c1} ${-h} ${c2} ${-h} ${round(length)} 0C${c2} ${h} ${c1} ${h} 0 0Z`
    const edge = `stroke="${palette.at(0.95)}" stroke-opacity="0.22" stroke-width="1.4"`
    for (let i = 0; i < petals; i += 1) {
      const place = `translate(${round(center[0])} ${round(center[1])}) rotate(${round(turn + (360 * i) / petals)})`
      sketch.add(`<path d="${d}" fill="${paint}" ${edge} transform="${place}"/>`)
    }
  }
  sketch.glow(center, 150, palette.at(0.97), 0.7)
  sketch.add(circle(center, random.between(16, 30), `fill="${palette.at(0.99)}"`))
  const halo = random.between(440, 480)
  sketch.add(
    circle(
      center,
      halo,
      `fill="none" stroke="${palette.at(0.85)}" stroke-opacity="0.3" stroke-width="1.6"`,
    ),
  )
}
