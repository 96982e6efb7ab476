// Estimates the key from the strength of the twelve pitch classes, by correlation with the profiles of Krumhansl and
// Kessler (1982).

const major = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
const minor = [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]

/** `chroma[0]` is the strength of C. Null if all pitch classes are equally strong or silent. */
export function estimateKey(
  chroma: Float64Array,
): { key: number; isMinor: boolean; correlation: number } | null {
  let best: { key: number; isMinor: boolean; correlation: number } | null = null
  for (let key = 0; key < 12; key += 1) {
    for (const isMinor of [false, true]) {
      const correlation = correlate(chroma, isMinor ? minor : major, key)
      if (correlation > (best?.correlation ?? 0)) best = { key, isMinor, correlation }
    }
  }
  return best
}

function correlate(chroma: Float64Array, profile: readonly number[], key: number): number {
  const chromaMean = chroma.reduce((sum, value) => sum + value, 0) / 12
  const profileMean = profile.reduce((sum, value) => sum + value, 0) / 12
  let product = 0
  let chromaSquares = 0
  let profileSquares = 0
  for (let step = 0; step < 12; step += 1) {
    const a = chroma[(key + step) % 12]! - chromaMean
    const b = profile[step]! - profileMean
    product += a * b
    chromaSquares += a * a
    profileSquares += b * b
  }
  return chromaSquares > 0 ? product / Math.sqrt(chromaSquares * profileSquares) : 0
}
