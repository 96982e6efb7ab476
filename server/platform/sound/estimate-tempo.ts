// Estimates the tempo from the onset strengths: finds the period after which they repeat. Also compares two and four
// times that period.

const slowestBpm = 50
const fastestBpm = 210
const bpmStep = 0.25
/** Of a tempo and its double, prefer the one nearer to this, as listeners do. */
const preferredBpm = 110
const preferenceOctaves = 0.9
/** Multiples of the period give a more precise result than one period, which is a whole number of frames. */
const multiples = [1, 2, 4] as const
/** About five minutes from the middle. A longer recording has no single tempo anyway. */
const maxFrames = 13_000

/** `confidence` is the autocorrelation at the beat period, 0 to 1. */
export function estimateTempo(
  onsets: Float32Array,
  framesPerSecond: number,
): { bpm: number; confidence: number } | null {
  const skipped = Math.max(0, Math.floor((onsets.length - maxFrames) / 2))
  const envelope = sharpen(onsets.subarray(skipped, skipped + maxFrames), framesPerSecond)
  const longestLag = Math.ceil((60 * framesPerSecond * multiples[2]) / slowestBpm) + 1
  // The recording must be long enough for eight beats of the slowest tempo.
  if (envelope.length < 2 * longestLag) return null
  const correlation = autocorrelate(envelope, longestLag)
  if (!correlation) return null
  let best = { bpm: 0, strength: 0, confidence: 0 }
  for (let bpm = slowestBpm; bpm <= fastestBpm; bpm += bpmStep) {
    const period = (60 * framesPerSecond) / bpm
    let sum = 0
    for (const multiple of multiples) sum += interpolate(correlation, period * multiple)
    const confidence = sum / multiples.length
    const octaves = Math.log2(bpm / preferredBpm) / preferenceOctaves
    const strength = confidence * Math.exp(-0.5 * octaves * octaves)
    if (strength > best.strength) best = { bpm, strength, confidence }
  }
  if (best.confidence < 0.05) return null
  return { bpm: best.bpm, confidence: Math.min(1, best.confidence) }
}

/** Onset strengths with a lower mean are measurement noise of a steady tone. */
const weakestMean = 0.004

/** Subtracts the mean of the surrounding second and smooths the result, because a beat may be between two frames. */
function sharpen(onsets: Float32Array, framesPerSecond: number): Float32Array {
  const reach = Math.round(framesPerSecond / 2)
  const sharp = new Float32Array(onsets.length)
  let sum = 0
  for (let i = -reach; i < onsets.length; i += 1) {
    sum += onsets[i + reach] ?? 0
    sum -= onsets[i - reach - 1] ?? 0
    if (i < 0) continue
    const smooth = (onsets[i]! + ((onsets[i - 1] ?? 0) + (onsets[i + 1] ?? 0)) / 2) / 2
    sharp[i] = Math.max(0, smooth - sum / (2 * reach + 1))
  }
  const mean = sharp.reduce((total, value) => total + value, 0) / Math.max(1, sharp.length)
  if (mean < weakestMean) return new Float32Array(sharp.length)
  return sharp.map((value) => value - mean)
}

/** Autocorrelation, divided by its value at lag 0. Null if there are no onsets. */
function autocorrelate(envelope: Float32Array, longestLag: number): Float64Array | null {
  const correlation = new Float64Array(longestLag + 1)
  for (let lag = 0; lag <= longestLag; lag += 1) {
    let sum = 0
    for (let i = lag; i < envelope.length; i += 1) sum += envelope[i]! * envelope[i - lag]!
    correlation[lag] = sum / (envelope.length - lag)
  }
  const whole = correlation[0]!
  return whole > 1e-9 ? correlation.map((value) => value / whole) : null
}

/** Linear interpolation between two frames. */
function interpolate(correlation: Float64Array, lag: number): number {
  const below = Math.floor(lag)
  const share = lag - below
  const [a, b] = [correlation[below] ?? 0, correlation[below + 1] ?? 0]
  return a * (1 - share) + b * share
}
