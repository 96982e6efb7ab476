// How long this browser and its audio device take from play() to sound. A gapless hand-over must start the next track
// that much early. No API reports it, so it is measured: once sound is steady, an element's clock shows when its first
// sample played.

/** Used until measured: typical for browsers on current systems, rounded down. */
const assumedMs = 60
const keptMeasurements = 9
const enoughMeasurements = 3
/** A value outside this range is not a start latency: the machine slept, or data was missing. */
const plausibleMs = { least: 0, most: 400 }
/** Before this, media clocks run ahead of the sound. */
export const settledAfterMs = 500

export class StartLatency {
  readonly #measuredMs: number[] = []

  /** True once there are enough measurements for a meaningful median. */
  get isKnown(): boolean {
    return this.#measuredMs.length >= enoughMeasurements
  }

  /** Median of the last measurements, in milliseconds. */
  get estimateMs(): number {
    const sorted = this.#measuredMs.toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? assumedMs
  }

  /** Adds a measurement; implausible values are ignored. */
  note(measuredMs: number): void {
    if (!(measuredMs >= plausibleMs.least && measuredMs <= plausibleMs.most)) return
    this.#measuredMs.push(measuredMs)
    if (this.#measuredMs.length > keptMeasurements) this.#measuredMs.shift()
  }
}

/** Milliseconds from play() to the first sound, computed from a later moment. */
export function latencyOfStart(start: {
  calledAtMs: number
  nowMs: number
  /** How far the element has advanced since, in seconds of media time. */
  playedSeconds: number
  playbackRate: number
}): number {
  return start.nowMs - start.calledAtMs - (start.playedSeconds / start.playbackRate) * 1000
}
