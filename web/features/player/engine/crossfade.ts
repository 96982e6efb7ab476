// Handles the overlap of two tracks, while the previous one plays its end (the tail): a gapless start, or a crossfade.
import type { Deck } from './deck.ts'
import { crossfadeGains } from './output-level.ts'

export interface Tail {
  deck: Deck
  /** Ends the overlap immediately: the old deck is silent, the new one at full level. */
  finish: () => void
}

const stepMs = 20

/** Fades one deck into the other by wall-clock time, so a slow timer only makes the steps coarser. */
export function startCrossfade(from: Deck, to: Deck, seconds: number, onDone: () => void): Tail {
  const startedAtMs = performance.now()
  const timer = setInterval(step, stepMs)
  step()

  function step() {
    const progress = (performance.now() - startedAtMs) / 1000 / seconds
    const gains = crossfadeGains(progress)
    from.setFade(gains.from)
    to.setFade(gains.to)
    if (progress >= 1) finish()
  }

  function finish() {
    clearInterval(timer)
    from.pause()
    from.setFade(1)
    to.setFade(1)
    onDone()
  }

  return { deck: from, finish }
}

/** Plays the old deck to its end. The timer ends the overlap if the deck never reports its end. */
export function startPlayOut(from: Deck, onDone: () => void): Tail {
  const timer = setTimeout(finish, from.remainingSeconds * 1000 + 500)

  function finish() {
    clearTimeout(timer)
    from.pause()
    onDone()
  }

  return { deck: from, finish }
}
