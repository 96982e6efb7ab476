// How long this browser and its sound device take from play() to sound. A hand-over between tracks
// must start the next one that much early, and no interface tells it, so it is learned from starts:
// once sound is steady, an element's clock shows when its first sample was heard.

/** Until something was measured: what browsers on current systems need, rounded down. */
const assumedMs = 60
const keptMeasurements = 9
const enoughMeasurements = 3
/** Outside of this something else was measured: a machine asleep, data that was still missing. */
const plausibleMs = { least: 0, most: 400 }
/** Before that, clocks run ahead of the sound. */
export const settledAfterMs = 500

export class StartLatency {
  readonly #measuredMs: number[] = []

  /** False while there are too few measurements for a median that means something. */
  get isKnown(): boolean {
    return this.#measuredMs.length >= enoughMeasurements
  }

  /** Median of the last measurements, in milliseconds. */
  get estimateMs(): number {
    const sorted = this.#measuredMs.toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? assumedMs
  }

  /** Takes one measurement; an implausible one changes nothing. */
  note(measuredMs: number): void {
    if (!(measuredMs >= plausibleMs.least && measuredMs <= plausibleMs.most)) return
    this.#measuredMs.push(measuredMs)
    if (this.#measuredMs.length > keptMeasurements) this.#measuredMs.shift()
  }
}

/** Milliseconds between the call of play() and the first sound, seen from a later moment. */
export function latencyOfStart(start: {
  calledAtMs: number
  nowMs: number
  /** How far the element has come since, in seconds of its medium. */
  playedSeconds: number
  playbackRate: number
}): number {
  return start.nowMs - start.calledAtMs - (start.playedSeconds / start.playbackRate) * 1000
}
