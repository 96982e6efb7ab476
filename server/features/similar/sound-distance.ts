// Computes how different two tracks sound: by tempo, key, and a vector of sound properties, which is scaled over the
// catalogue.
import { soundVectorLength } from '../../platform/sound/sound-features.ts'

/** Number of tracks from which the scale is computed. More tracks would barely change the medians. */
const sampledTracks = 2000
/** Limits how much one unusual component counts. */
const maxDeviations = 3

/** The weight of each component of a sound vector: timbre and its change, balance, harmony, density. */
const importance = Float64Array.from({ length: soundVectorLength }, (_, i) => {
  // The first coefficient is loudness, which the player normalizes anyway, so it gets less weight.
  if (i < 2) return 0.5
  if (i < 26) return i % 2 === 0 ? 1 : 0.6
  if (i < 34) return 1
  return i < 46 ? 0.6 : 1
})
const importanceSum = importance.reduce((sum, value) => sum + value, 0)

/** The weights with which vector, tempo and key contribute to the squared distance. */
const shares = { vector: 0.75, tempo: 0.18, key: 0.07 }
/** The tempo difference that counts as one unit of distance, in octaves: 5 %. */
const tempoUnit = 0.07
const maxTempoUnits = 2.5
const fifthsPerUnit = 2

/**
 * Scales all vectors in place by median and median deviation, so that an unusual value of a component counts more than
 * a common one. `isPresent` marks the rows that have a vector.
 */
export function scaleVectors(vectors: Float32Array, isPresent: Uint8Array): void {
  const rows: number[] = []
  const step = Math.max(1, Math.floor(isPresent.length / sampledTracks))
  for (let row = 0; row < isPresent.length; row += 1) {
    if (isPresent[row] && (row % step === 0 || isPresent.length < sampledTracks)) rows.push(row)
  }
  for (let at = 0; at < soundVectorLength; at += 1) {
    const values = Float64Array.from(
      rows,
      (row) => vectors[row * soundVectorLength + at]!,
    ).toSorted()
    const median = values[Math.floor(values.length / 2)] ?? 0
    const deviations = values.map((value) => Math.abs(value - median)).toSorted()
    const typical = 1.4826 * (deviations[Math.floor(values.length / 2)] ?? 0)
    const scale = typical > 1e-6 ? typical : computeMean(deviations) || 1
    const weight = Math.sqrt(importance[at]! / importanceSum)
    for (let row = 0; row < isPresent.length; row += 1) {
      const place = row * soundVectorLength + at
      const deviation = (vectors[place]! - median) / scale
      vectors[place] = Math.max(-maxDeviations, Math.min(maxDeviations, deviation)) * weight
    }
  }
}

function computeMean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/** The squared distance of two scaled vectors, about 2 for unrelated tracks. */
export function vectorDistance(vectors: Float32Array, a: number, b: number): number {
  let sum = 0
  const offset = (b - a) * soundVectorLength
  const end = (a + 1) * soundVectorLength
  for (let i = a * soundVectorLength; i < end; i += 1) {
    const difference = vectors[i]! - vectors[i + offset]!
    sum += difference * difference
  }
  return sum
}

/** The difference of two tempos in octaves, from 0 to 0.5. Double and half tempo count as equal. */
export function tempoOctaves(a: number, b: number): number {
  const octaves = Math.abs(Math.log2(a / b)) % 1
  return Math.min(octaves, 1 - octaves)
}

/**
 * The number of steps between two keys on the circle of fifths, from 0 to 6. A minor key counts as its relative major.
 */
export function keySteps(
  a: { key: number; isMinor: boolean },
  b: { key: number; isMinor: boolean },
): number {
  const fifthsOf = ({ key, isMinor }: { key: number; isMinor: boolean }) =>
    ((key + (isMinor ? 3 : 0)) * 7) % 12
  const steps = Math.abs(fifthsOf(a) - fifthsOf(b))
  return Math.min(steps, 12 - steps)
}

/**
 * Converts distances to a similarity: 1 for the same sound, near 0 for unrelated sounds. An unknown tempo or key counts
 * as a typical distance.
 */
export function soundSimilarity(vector: number, tempo: number | null, key: number | null): number {
  const tempoUnits = tempo === null ? 1.2 : Math.min(maxTempoUnits, tempo / tempoUnit)
  const keyUnits = key === null ? 1.2 : key / fifthsPerUnit
  return Math.exp(
    -(
      shares.vector * vector +
      shares.tempo * tempoUnits * tempoUnits +
      shares.key * keyUnits * keyUnits
    ),
  )
}
