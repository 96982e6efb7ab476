// Distinguishes buffering from playing. `waiting` starts buffering and `playing` or `canplay` ends it, but WebKit sends
// neither after a seek into buffered data. So an advancing clock also ends buffering.

/** Smaller changes of the position don't count as progress, because a seek may end this far from its target. */
const advanceSeconds = 0.1
/** `timeupdate` fires four times a second while the sound advances. */
const silentAfterMs = 1500

type MediaClock = Pick<HTMLMediaElement, 'currentTime' | 'paused' | 'readyState' | 'seeking'>

export class BufferingWatch {
  readonly #report: (isBuffering: boolean) => void
  #isBuffering = false
  /** Position at which buffering began; null until the element has a position. */
  #fromSeconds: number | null = null
  #silence: ReturnType<typeof setTimeout> | undefined

  constructor(report: (isBuffering: boolean) => void) {
    this.#report = report
  }

  begin(element: MediaClock): void {
    clearTimeout(this.#silence)
    this.#isBuffering = true
    this.#fromSeconds = getMeaningfulPosition(element)
    this.#report(true)
  }

  end(): void {
    clearTimeout(this.#silence)
    this.#isBuffering = false
    this.#report(false)
  }

  /** A seek changes the position without progress. */
  onSeeked(element: MediaClock): void {
    this.#fromSeconds = getMeaningfulPosition(element)
  }

  /** Call on each `timeupdate`. */
  onTick(element: MediaClock): void {
    const seconds = getMeaningfulPosition(element)
    if (seconds === null || element.paused) return
    if (this.#isBuffering) {
      const from = this.#fromSeconds
      if (from === null || seconds < from) this.#fromSeconds = seconds
      else if (seconds - from >= advanceSeconds) this.end()
    }
    if (!this.#isBuffering) this.#expectNextTick(element, seconds)
  }

  /**
   * `waiting` fires only when `readyState` falls. If it is already low, a stall shows only as missing `timeupdate`
   * events.
   */
  #expectNextTick(element: MediaClock, seconds: number): void {
    clearTimeout(this.#silence)
    if (element.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) return
    this.#silence = setTimeout(() => {
      const hasAdvanced = element.currentTime - seconds >= advanceSeconds
      if (!element.paused && !hasAdvanced) this.begin(element)
    }, silentAfterMs)
  }
}

function getMeaningfulPosition({ currentTime, readyState, seeking }: MediaClock): number | null {
  return readyState === HTMLMediaElement.HAVE_NOTHING || seeking ? null : currentTime
}
