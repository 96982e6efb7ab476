// Folds of cloth, lit along their edges.
import { moveTo, smoothPath, type Composition, type Point } from './sketch.ts'
import { createWave } from './waves.ts'

export const velvetFolds: Composition = (sketch, palette, random) => {
  const angle = random.between(-38, 38)
  const folds = random.whole(7, 10)
  const spacing = 1300 / folds
  sketch.background(palette.at(random.between(0.3, 0.5)))
  const drift = createWave(random, [1500, 640])
  const shapes = Array.from({ length: folds + 1 }, (_, i) => {
    const base = -190 + i * spacing
    const own = createWave(random, [900, 420])
    const depth = random.between(70, 130)
    const at = (x: number): Point => [x, base + depth * (0.75 * drift(x + i * 60) + 0.45 * own(x))]
    const line = Array.from({ length: 17 }, (_, n) => at(n * 100 - 300))
    const light = random.between(0.62, 0.9)
    const paint = sketch.linear(
      [500, base - depth * 0.8],
      [500 + random.between(-90, 90), base + spacing * 1.9],
      [
        [0, palette.at(light)],
        [0.16, palette.at(light - 0.12)],
        [0.45, palette.at(0.42)],
        [0.78, palette.at(0.2)],
        [1, palette.at(0.08)],
      ],
    )
    const edge = `${moveTo(line[0]!)}${smoothPath(line)}`
    return [
      `<path d="${edge}L1300 1400L-300 1400Z" fill="${paint}"/>`,
      `<path d="${edge}" fill="none" stroke="${palette.at(0.97)}" stroke-opacity="0.28" stroke-width="2.2"/>`,
    ].join('')
  })
  sketch.add(`<g transform="rotate(${angle.toFixed(1)} 500 500)">${shapes.join('')}</g>`)
  sketch.glow([random.between(150, 850), random.between(0, 260)], 700, palette.at(0.9), 0.3)
}
