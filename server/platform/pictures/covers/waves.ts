// Irregular wavy lines for hills, water and cloth: the sum of a few sines with unrelated wavelengths.
import type { CoverRandom } from './cover-random.ts'

/** The height at x, from about -1 to 1. */
export type Wave = (x: number) => number

/**
 * `lengths` are wavelengths in canvas units, the strongest first. Each further wave has half the amplitude of the
 * previous one.
 */
export function createWave(random: CoverRandom, lengths: number[]): Wave {
  const parts = lengths.map((length, i) => ({
    frequency: (2 * Math.PI) / (length * random.between(0.85, 1.2)),
    phase: random.between(0, 2 * Math.PI),
    weight: 0.5 ** i,
  }))
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  return (x) =>
    parts.reduce((sum, { frequency, phase, weight }) => {
      return sum + weight * Math.sin(x * frequency + phase)
    }, 0) / total
}
