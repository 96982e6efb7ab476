// Sound as a landscape: ridges behind each other, highest where the music is loud.
import { circle, moveTo, ramp, round, smoothPath, type Composition, type Point } from './sketch.ts'
import { createWave } from './waves.ts'

export const waveformTerrain: Composition = (sketch, palette, random) => {
  const top = random.between(330, 430)
  sketch.background(
    sketch.linear(
      [0, 0],
      [0, 760],
      ramp(palette, random.between(0.1, 0.2), random.between(0.62, 0.76)),
    ),
  )
  const sun: Point = [random.between(300, 700), top - random.between(40, 120)]
  const radius = random.between(95, 150)
  sketch.glow(sun, radius * 3.4, palette.at(0.85), 0.6)
  sketch.add(
    circle(
      sun,
      radius,
      `fill="${sketch.linear([0, sun[1] - radius], [0, sun[1] + radius], ramp(palette, 0.97, 0.7))}"`,
    ),
  )
  const ridges = random.whole(12, 15)
  const loudAt = random.between(380, 620)
  const swell = createWave(random, [13, 5.1])
  for (let i = 0; i < ridges; i += 1) {
    const near = i / (ridges - 1)
    const base = top + (1000 - top) * near ** 1.35 + 20
    const wave = createWave(random, [250, 118, 61])
    const center = loudAt + 110 * swell(i)
    const spread = random.between(190, 310)
    const height = random.between(80, 150) * (0.7 + 0.4 * near)
    const line = Array.from({ length: 101 }, (_, n): Point => {
      const x = n * 10.4 - 20
      const envelope = Math.exp(-(((x - center) / spread) ** 2)) + 0.07
      return [x, base - height * envelope * (0.6 + 0.5 * wave(x))]
    })
    const edge = `${moveTo(line[0]!)}${smoothPath(line)}`
    const tone = 0.56 - 0.5 * near
    const paint = sketch.linear(
      [0, base - height],
      [0, base + 90],
      [
        [0, palette.at(tone + 0.14)],
        [0.7, palette.at(tone)],
        [1, palette.at(Math.max(0, tone - 0.1))],
      ],
    )
    sketch.add(`<path d="${edge}L1020 1010L-20 1010Z" fill="${paint}"/>`)
    sketch.add(
      `<path d="${edge}" fill="none" stroke="${palette.at(0.92 - 0.3 * near)}" stroke-opacity="${round(0.8 - 0.3 * near, 2)}" stroke-width="${round(1.4 + 1.2 * near)}"/>`,
    )
  }
}
