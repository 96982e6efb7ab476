// The features by which similar-sounding tracks are found: a short vector, tempo and key. Stored per track.

/** Increment it if the same recording would get different values. The worker then measures all tracks again. */
export const soundVersion = 1

/** Length of `SoundFeatures.vector`. */
export const soundVectorLength = 48

export interface SoundFeatures {
  /**
   * Means and deviations of 13 mel-frequency cepstral coefficients and of centroid, rolloff, flatness and flux; the
   * strengths of 12 pitch classes, from the tonic up; onsets per second; crest factor in dB.
   */
  vector: Float32Array
  /** Beats per minute. Null if there is no regular beat. */
  tempo: number | null
  /** How certain the tempo is, 0 to 1. */
  tempoConfidence: number
  /** Pitch class of the tonic, 0 for C. Null for sound without pitches. */
  key: number | null
  isMinor: boolean
  /** See fingerprint.ts. Null for recordings of less than ten seconds. */
  fingerprint: Uint8Array | null
}

/** Encodes the vector for the database: little-endian 32-bit floats. */
export function encodeSoundVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, i * 4)
  return bytes
}
