// Distinguishes buffering from sound. `waiting` begins a wait and `playing` or `canplay` ends it, but WebKit sends neither
// after a seek in data that it has. So an advancing clock ends a wait, too.

/** A seek may land this far from where it aimed; less is no advance. */
const advanceSeconds = 0.1
/** `timeupdate` comes four times a second while sound advances. */
const silentAfterMs = 1500

type MediaClock = Pick<HTMLMediaElement, 'currentTime' | 'paused' | 'readyState' | 'seeking'>

export class BufferingWatch {
  readonly #report: (isBuffering: boolean) => void
  #isBuffering = false
  /** Where the wait began; null until the element has a position. */
  #fromSeconds: number | null = null
  #silence: ReturnType<typeof setTimeout> | undefined

  constructor(report: (isBuffering: boolean) => void) {
    this.#report = report
  }

  begin(element: MediaClock): void {
    clearTimeout(this.#silence)
    this.#isBuffering = true
    this.#fromSeconds = positionOf(element)
    this.#report(true)
  }

  end(): void {
    clearTimeout(this.#silence)
    this.#isBuffering = false
    this.#report(false)
  }

  /** The position changed by a seek, which is no advance. */
  onSeeked(element: MediaClock): void {
    this.#fromSeconds = positionOf(element)
  }

  /** On each `timeupdate`. */
  onTick(element: MediaClock): void {
    const seconds = positionOf(element)
    if (seconds === null || element.paused) return
    if (this.#isBuffering) {
      const from = this.#fromSeconds
      if (from === null || seconds < from) this.#fromSeconds = seconds
      else if (seconds - from >= advanceSeconds) this.end()
    }
    if (!this.#isBuffering) this.#expectNextTick(element, seconds)
  }

  /** `waiting` is sent when `readyState` falls. Where it is low already, a stall shows by silence alone. */
  #expectNextTick(element: MediaClock, seconds: number): void {
    clearTimeout(this.#silence)
    if (element.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) return
    this.#silence = setTimeout(() => {
      const hasAdvanced = element.currentTime - seconds >= advanceSeconds
      if (!element.paused && !hasAdvanced) this.begin(element)
    }, silentAfterMs)
  }
}

function positionOf({ currentTime, readyState, seeking }: MediaClock): number | null {
  return readyState === HTMLMediaElement.HAVE_NOTHING || seeking ? null : currentTime
}
