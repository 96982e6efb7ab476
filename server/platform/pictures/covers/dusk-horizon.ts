// Evening: a low sun, with hills that fade in the distance or water that reflects the light.
import {
  canvasSide,
  circle,
  moveTo,
  ramp,
  round,
  smoothPath,
  type Composition,
  type Point,
} from './sketch.ts'
import type { Palette } from './cover-palette.ts'
import type { CoverRandom } from './cover-random.ts'
import type { Sketch } from './sketch.ts'
import { createWave } from './waves.ts'

export const duskHorizon: Composition = (sketch, palette, random) => {
  const horizon = random.between(560, 690)
  const sun: Point = [random.between(260, 740), horizon - random.between(20, 190)]
  const radius = random.between(85, 165)
  sketch.background(
    sketch.linear([0, 0], [0, horizon], ramp(palette, random.between(0.14, 0.3), 0.84)),
  )
  drawClouds(sketch, palette, random, horizon)
  sketch.glow(sun, radius * 4.2, palette.at(0.88), 0.75)
  const disc = sketch.linear([0, sun[1] - radius], [0, sun[1] + radius], ramp(palette, 1, 0.72))
  sketch.add(circle(sun, radius, `fill="${disc}"`))
  if (random.chance(0.4)) drawWater(sketch, palette, random, horizon, sun, radius)
  else drawHills(sketch, palette, random, horizon)
}

function drawClouds(sketch: Sketch, palette: Palette, random: CoverRandom, horizon: number): void {
  for (let i = 0; i < 7; i += 1) {
    const y = random.between(0.2, 0.95) * horizon
    const x = random.between(-100, 1100)
    const width = random.between(240, 620)
    const color = palette.at(0.45 + 0.45 * (y / horizon))
    const paint = sketch.linear(
      [x - width, 0],
      [x + width, 0],
      [
        [0, color, 0],
        [0.5, color, random.between(0.16, 0.4)],
        [1, color, 0],
      ],
    )
    const size = `rx="${round(width)}" ry="${round(random.between(4, 15))}"`
    sketch.add(`<ellipse cx="${round(x)}" cy="${round(y)}" ${size} fill="${paint}"/>`)
  }
}

function drawHills(sketch: Sketch, palette: Palette, random: CoverRandom, horizon: number): void {
  const layers = random.whole(4, 6)
  for (let i = 0; i < layers; i += 1) {
    const near = i / (layers - 1)
    const base = horizon + (canvasSide - horizon) * near * 0.82 - 20 * (1 - near)
    const height = 28 + 62 * near
    const wave = createWave(random, [520 + 260 * near, 230, 97])
    const line = Array.from({ length: 26 }, (_, n): Point => [
      n * 44 - 50,
      base - height * wave(n * 44),
    ])
    const tone = 0.66 - 0.62 * near ** 0.8
    const paint = sketch.linear(
      [0, base - height],
      [0, base + 230],
      [
        [0, palette.at(tone)],
        [1, palette.at(tone + 0.16)],
      ],
    )
    sketch.add(
      `<path d="${moveTo(line[0]!)}${smoothPath(line)}L1050 1000L-50 1000Z" fill="${paint}"/>`,
    )
  }
}

function drawWater(
  sketch: Sketch,
  palette: Palette,
  random: CoverRandom,
  horizon: number,
  sun: Point,
  radius: number,
): void {
  const sea = sketch.linear([0, horizon], [0, canvasSide], ramp(palette, 0.62, 0.06))
  sketch.add(
    `<rect y="${round(horizon)}" width="1000" height="${round(canvasSide - horizon)}" fill="${sea}"/>`,
  )
  const depth = canvasSide - horizon
  for (let y = horizon + 5; y < canvasSide; y += 7 + 20 * ((y - horizon) / depth)) {
    const far = (y - horizon) / depth
    const half = radius * random.between(0.35, 1.05) * (1 - 0.45 * far)
    const x = sun[0] + random.between(-26, 26) * (0.4 + far)
    const thick = 2.2 + 7 * far
    const color = palette.at(0.93 - 0.3 * far)
    const paint = sketch.linear(
      [x - half, 0],
      [x + half, 0],
      [
        [0, color, 0],
        [0.5, color, 0.85 - 0.55 * far],
        [1, color, 0],
      ],
    )
    sketch.add(
      `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(half)}" ry="${round(thick)}" fill="${paint}"/>`,
    )
  }
}
