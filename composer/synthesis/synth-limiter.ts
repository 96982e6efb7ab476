// A look-ahead limiter at the end of the chain: no true peak (ITU-R BS.1770-4, annex 2) exceeds the ceiling and nothing
// is clipped.

import { toSampleCount, type Stereo } from './synth-stereo.ts'

const lookahead = toSampleCount(0.004)

/** Windowed-sinc weights for the three points between two samples, 8 taps each. */
const betweenTaps = [0.25, 0.5, 0.75].map((fraction) =>
  Float64Array.from({ length: 8 }, (_, tap) => {
    const x = tap - 3 - fraction
    const window = Math.cos((Math.PI * x) / 8.4) ** 2
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * window
  }),
)

/** The largest true peak at or just after `index`. */
function truePeakAt(buffer: Float32Array, index: number): number {
  let peak = Math.abs(buffer[index]!)
  if (index < 3 || index + 5 > buffer.length) return peak
  for (const taps of betweenTaps) {
    let sum = 0
    for (let tap = 0; tap < 8; tap++) sum += buffer[index - 3 + tap]! * taps[tap]!
    peak = Math.max(peak, Math.abs(sum))
  }
  return peak
}

/** For each sample, the gain that keeps it below the ceiling. */
function neededGains({ left, right }: Stereo, ceiling: number): Float32Array {
  const gains = new Float32Array(left.length).fill(1)
  // A true peak between two samples can be higher than both of them, but hardly higher than 1/0.7 times.
  const near = ceiling * 0.7
  for (let index = 0; index < left.length; index++) {
    const size = Math.max(Math.abs(left[index]!), Math.abs(right[index]!))
    if (size < near) continue
    const peak = Math.max(truePeakAt(left, index), truePeakAt(right, index))
    if (peak > ceiling) gains[index] = ceiling / peak
  }
  return gains
}

/** Replaces each value with the minimum of itself and the `lookahead` values after it (monotonic queue). */
function leastAhead(gains: Float32Array): void {
  const queue = new Int32Array(gains.length + lookahead)
  const source = gains.slice()
  let head = 0
  let tail = 0
  for (let index = 0; index < gains.length + lookahead; index++) {
    if (index < gains.length) {
      while (tail > head && source[queue[tail - 1]!]! >= source[index]!) tail--
      queue[tail++] = index
    }
    const place = index - lookahead
    if (place < 0) continue
    while (queue[head]! < place) head++
    gains[place] = source[queue[head]!]!
  }
}

/** Keeps both channels below `ceiling` (linear). Attacks fast and releases within `releaseSeconds`. */
export function limit(stereo: Stereo, ceiling: number, releaseSeconds: number): void {
  const gains = neededGains(stereo, ceiling)
  leastAhead(gains)
  const release = 1 / toSampleCount(releaseSeconds)
  const window = new Float64Array(lookahead).fill(1)
  let sum = lookahead
  let released = 1
  let place = 0
  for (let index = 0; index < gains.length; index++) {
    released = Math.min(gains[index]!, released + (1 - released) * release + 1e-9)
    // The average over the look-ahead turns steps of the gain into ramps. It never exceeds the gain that a peak
    // needs.
    sum += released - window[place]!
    window[place] = released
    if (++place === lookahead) place = 0
    const gain = Math.min(1, sum / lookahead)
    stereo.left[index]! *= gain
    stereo.right[index]! *= gain
  }
}
