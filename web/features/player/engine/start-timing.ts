// Measures the latency of starts: every real start with buffered data, and a few silent ones before the first
// hand-over.
import type { Deck } from './deck.ts'
import { latencyOfStart, settledAfterMs, StartLatency } from './start-latency.ts'

/** If this many rehearsals give no result, more won't either. */
const mostRehearsals = 8

export class StartTiming {
  #rehearsals = 0
  readonly #latency = new StartLatency()
  #rehearsing: Deck | null = null

  /** Milliseconds from play() to sound. */
  get estimateMs(): number {
    return this.#latency.estimateMs
  }

  get isKnown(): boolean {
    return this.#latency.isKnown
  }

  get isRehearsing(): boolean {
    return this.#rehearsing !== null
  }

  /** Call right before play(). Call the returned function once play() succeeded; it measures a moment later. */
  timeStart(deck: Deck): () => Promise<void> {
    const calledAtMs = performance.now()
    const fromSeconds = deck.positionSeconds
    const url = deck.source?.url
    return async () => {
      await new Promise((resolve) => setTimeout(resolve, settledAfterMs))
      const { element } = deck
      if (element.paused || element.seeking || deck.source?.url !== url) return
      // Without audible sound the media clock is not reliable.
      if (element.muted || element.volume === 0) return
      this.#latency.note(
        latencyOfStart({
          calledAtMs,
          nowMs: performance.now(),
          playedSeconds: deck.positionSeconds - fromSeconds,
          playbackRate: element.playbackRate,
        }),
      )
    }
  }

  mayRehearse({ element }: Deck): boolean {
    const isAudible = !element.muted && element.volume > 0
    return isAudible && !this.isRehearsing && this.#rehearsals < mostRehearsals
  }

  /** Plays a deck briefly without sound. Returns false if the system does not allow starting without a click. */
  async rehearse(deck: Deck): Promise<boolean> {
    this.#rehearsing = deck
    this.#rehearsals += 1
    deck.setFade(0)
    const learn = this.timeStart(deck)
    try {
      await deck.play()
    } catch (error) {
      // Any other error means something newer interrupted the rehearsal.
      const isForbidden = error instanceof DOMException && error.name === 'NotAllowedError'
      this.endRehearsal()
      return !isForbidden
    }
    await learn()
    this.endRehearsal()
    return true
  }

  /** Resets the deck to its beginning. */
  endRehearsal(): void {
    const deck = this.#rehearsing
    if (!deck) return
    this.#rehearsing = null
    deck.pause()
    deck.seek(0)
    deck.setFade(1)
  }
}
