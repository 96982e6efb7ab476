// Draws a cover for a track without one. The same texts give the same picture on every machine. The picture contains
// no letters, so that it can be shown at every size.
import { botanical } from './covers/botanical.ts'
import { choosePalette } from './covers/cover-palette.ts'
import { createCoverRandom } from './covers/cover-random.ts'
import { duskHorizon } from './covers/dusk-horizon.ts'
import { paperArches } from './covers/paper-arches.ts'
import { petalBloom } from './covers/petal-bloom.ts'
import { canvasSide, createSketch, type Composition, type Sketch } from './covers/sketch.ts'
import { sunAndHaze } from './covers/sun-and-haze.ts'
import { velvetFolds } from './covers/velvet-folds.ts'
import { vinylArcs } from './covers/vinyl-arcs.ts'
import { waveformTerrain } from './covers/waveform-terrain.ts'
import { processDrawing, type ProcessedImage } from './images.ts'

export type CoverSubject = {
  title: string
  artist?: string | null
  /** A mood's name, such as `Focus`. It limits the choice of colors. */
  mood?: string | null
}

const compositions: [Composition, ...Composition[]] = [
  duskHorizon,
  velvetFolds,
  vinylArcs,
  sunAndHaze,
  botanical,
  waveformTerrain,
  paperArches,
  petalBloom,
]

/** Returns the picture in every size, like processImage. */
export function renderCover(subject: CoverSubject): Promise<ProcessedImage> {
  return processDrawing(drawCover(subject))
}

/** Returns the picture as an SVG document, without film grain. */
export function drawCover({ title, artist, mood }: CoverSubject): string {
  const random = createCoverRandom(
    `${title.trim().toLowerCase()}\n${artist?.trim().toLowerCase() ?? ''}`,
  )
  const compose = random.pick(compositions)
  const palette = choosePalette(random, mood ?? undefined)
  const sketch = createSketch()
  compose(sketch, palette, random)
  darkenCorners(sketch, palette.at(0))
  return sketch.toSvg()
}

/** Draws slightly darker corners, as in all compositions. The film grain is added when the picture is rasterized. */
function darkenCorners(sketch: Sketch, shadow: string): void {
  const half = canvasSide / 2
  sketch.background(
    sketch.radial([half, half], canvasSide * 0.75, [
      [0.55, shadow, 0],
      [1, shadow, 0.34],
    ]),
  )
}
