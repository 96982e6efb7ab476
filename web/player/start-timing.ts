// Measures how long starts take: every real one that had its data, and a few silent ones before the first
// hand-over needs to know.
import type { Deck } from './deck.ts'
import { latencyOfStart, settledAfterMs, StartLatency } from './start-latency.ts'

/** Where so many tell nothing, more will not, either. */
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

  /** Call right before play(); the answer, called once that succeeded, learns from it a moment later. */
  timeStart(deck: Deck): () => Promise<void> {
    const calledAtMs = performance.now()
    const fromSeconds = deck.positionSeconds
    const url = deck.source?.url
    return async () => {
      await new Promise((resolve) => setTimeout(resolve, settledAfterMs))
      const { element } = deck
      if (element.paused || element.seeking || deck.source?.url !== url) return
      // Without sound there is no telling when it would have been heard.
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

  /** Plays a deck for a moment without sound. False: the system does not let it start by itself. */
  async rehearse(deck: Deck): Promise<boolean> {
    this.#rehearsing = deck
    this.#rehearsals += 1
    deck.setFade(0)
    const learn = this.timeStart(deck)
    try {
      await deck.play()
    } catch (error) {
      // Anything else was ended by something newer.
      const isForbidden = error instanceof DOMException && error.name === 'NotAllowedError'
      this.endRehearsal()
      return !isForbidden
    }
    await learn()
    this.endRehearsal()
    return true
  }

  /** Puts the deck back to its beginning, as if nothing had been. */
  endRehearsal(): void {
    const deck = this.#rehearsing
    if (!deck) return
    this.#rehearsing = null
    deck.pause()
    deck.seek(0)
    deck.setFade(1)
  }
}
