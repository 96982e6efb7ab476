// Film grain, which prevents visible banding in compressed gradients. Added as a small tile, because drawing noise as
// SVG takes longer than the rest of a cover.
import { createCoverRandom } from './cover-random.ts'

export const grainSide = 256
/** Maximum opacity of a speck, on a scale of 0 to 255. */
const strongest = 15

/** Returns the RGBA bytes of one tile: black and white specks, nearly transparent. */
export function createFilmGrain(): Buffer {
  const random = createCoverRandom('film grain')
  const tile = Buffer.alloc(grainSide * grainSide * 4)
  for (let i = 0; i < tile.length; i += 4) {
    // The sum of two random numbers is near the middle more often, as in film grain.
    const level = random.between(-1, 1) + random.between(-1, 1)
    tile.fill(level > 0 ? 255 : 0, i, i + 3)
    tile[i + 3] = Math.round((Math.abs(level) / 2) * strongest)
  }
  return tile
}
