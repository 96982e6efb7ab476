// Acoustic fingerprints as they are stored and compared: one byte for the mean strength of each of 33 semitones, then
// one 32-bit word for each 93 ms.

/**
 * Increment it if the same recording would get a different fingerprint. The worker then measures all tracks again.
 */
export const fingerprintVersion = 1

export const fingerprintBandCount = 33
const wordsPerSecond = 22_050 / 2048
/** Two minutes. A longer fingerprint hardly improves the recognition. */
export const maxWords = Math.round(120 * wordsPerSecond)
/** Ten seconds. Shorter fingerprints of different recordings would match by chance. */
const minWords = Math.round(10 * wordsPerSecond)
/** Maximum difference between the beginnings of two recordings, because encoders and exports add or cut silence. */
const maxShift = Math.round(3 * wordsPerSecond)
/**
 * Maximum fraction of differing bits of the same recording. Re-encoded, shifted and leveled recordings are below 0.3,
 * other songs of the same style above 0.37, unrelated songs near 0.5.
 */
const maxDifferingShare = 0.31
/** Minimum correlation of the mean strengths. It distinguishes regular pulses of different notes. */
const minProfileCorrelation = 0.95
/**
 * First compares every sixteenth word, which excludes most shifts. The limit is higher, because this comparison is
 * less exact.
 */
const roughStep = 16
const maxRoughlyDifferingShare = maxDifferingShare + 0.07

export function encodeFingerprint(profile: Float64Array, words: Uint32Array): Buffer | null {
  const strongest = Math.max(...profile)
  if (words.length < minWords || strongest <= 0) return null
  const bytes = Buffer.alloc(fingerprintBandCount + 4 * words.length)
  for (const [band, energy] of profile.entries()) {
    bytes[band] = Math.round(255 * (energy / strongest) ** 0.25)
  }
  for (const [at, word] of words.entries()) bytes.writeUInt32LE(word, fingerprintBandCount + 4 * at)
  return bytes
}

export interface FingerprintComparison {
  /** Returns the fraction of differing bits at the best shift, 0 to 1. Null if the recordings differ. */
  compare: (fingerprint: Uint8Array) => number | null
}

/** Prepares a fingerprint for comparing it with many others. */
export function createFingerprintComparison(own: Uint8Array): FingerprintComparison {
  const ownProfile = own.subarray(0, fingerprintBandCount)
  const ownWords = toWords(own)
  return {
    compare(fingerprint) {
      if (
        correlate(ownProfile, fingerprint.subarray(0, fingerprintBandCount)) < minProfileCorrelation
      )
        return null
      const words = toWords(fingerprint)
      let least = maxDifferingShare
      let isSame = false
      for (let shift = -maxShift; shift <= maxShift; shift += 1) {
        if (differingBits(ownWords, words, shift, roughStep) > maxRoughlyDifferingShare) continue
        const share = differingBits(ownWords, words, shift, 1)
        if (share > least) continue
        least = share
        isSame = true
      }
      return isSame ? least : null
    },
  }
}

/** Copies the bytes, because words in a buffer from the database are not aligned. */
function toWords(fingerprint: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(fingerprint.subarray(fingerprintBandCount)).buffer)
}

/**
 * Returns the fraction of differing bits in every `step`th word if `b` begins `shift` words later. 1 if too few words
 * overlap.
 */
function differingBits(a: Uint32Array, b: Uint32Array, shift: number, step: number): number {
  const begin = Math.max(0, -shift)
  const end = Math.min(a.length, b.length - shift)
  if (end - begin < minWords - maxShift) return 1
  let bits = 0
  let count = 0
  for (let at = begin; at < end; at += step) {
    bits += countBits(a[at]! ^ b[at + shift]!)
    count += 1
  }
  return bits / (32 * count)
}

function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

function correlate(a: Uint8Array, b: Uint8Array): number {
  const meanOf = (values: Uint8Array) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanA, meanB] = [meanOf(a), meanOf(b)]
  let product = 0
  let squaresA = 0
  let squaresB = 0
  for (let band = 0; band < fingerprintBandCount; band += 1) {
    const [x, y] = [a[band]! - meanA, b[band]! - meanB]
    product += x * y
    squaresA += x * x
    squaresB += y * y
  }
  return product / Math.sqrt(squaresA * squaresB || 1)
}
