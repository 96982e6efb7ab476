// Large clouds of warm colors that merge, with one sharp disc among them.
import { circle, ramp, round, type Composition, type Point } from './sketch.ts'

export const sunAndHaze: Composition = (sketch, palette, random) => {
  const lean = random.between(-300, 300)
  sketch.background(
    sketch.linear(
      [500 - lean, 0],
      [500 + lean, 1000],
      ramp(palette, random.between(0.2, 0.34), random.between(0.58, 0.72)),
    ),
  )
  for (let i = 0; i < 7; i += 1) {
    const center: Point = [random.between(-100, 1100), random.between(-100, 1100)]
    const tone = i % 2 === 0 ? random.between(0.6, 0.9) : random.between(0.08, 0.4)
    sketch.glow(center, random.between(360, 760), palette.at(tone), random.between(0.55, 0.9))
  }
  const sun: Point = [random.between(360, 640), random.between(340, 600)]
  const radius = random.between(190, 290)
  const turn = random.between(0.2, 0.8) * Math.PI
  const reach: Point = [Math.cos(turn) * radius, Math.sin(turn) * radius]
  sketch.glow(sun, radius * 2, palette.at(0.9), 0.5)
  const disc = sketch.linear(
    [sun[0] - reach[0], sun[1] - reach[1]],
    [sun[0] + reach[0], sun[1] + reach[1]],
    [
      [0, palette.at(0.98), 1],
      [0.35, palette.at(0.84), 0.96],
      [0.75, palette.at(0.62), 0.5],
      [1, palette.at(0.5), 0],
    ],
  )
  sketch.add(circle(sun, radius, `fill="${disc}"`))
  if (random.chance(0.6)) {
    const far = random.between(0.75, 1.05)
    const second: Point = [sun[0] + reach[0] * far, sun[1] + reach[1] * far]
    const size = radius * random.between(0.4, 0.6)
    const glass = sketch.linear(
      [second[0] + size, second[1] - size],
      [second[0] - size, second[1] + size],
      [
        [0, palette.at(0.66), 0.95],
        [0.5, palette.at(0.48), 0.75],
        [1, palette.at(0.3), 0.1],
      ],
    )
    sketch.add(circle(second, size, `fill="${glass}"`))
  }
  for (const grow of [1.22, 1.5, 1.86].slice(0, random.whole(1, 3))) {
    sketch.add(
      circle(
        sun,
        radius * grow,
        `fill="none" stroke="${palette.at(0.95)}" stroke-width="1.6" stroke-opacity="${round(0.5 / grow ** 2, 2)}"`,
      ),
    )
  }
}
