// What still sounds of the track before: its last moments under a gapless start, or a crossfade.
import type { Deck } from './deck.ts'
import { crossfadeGains } from './output-level.ts'

export interface Tail {
  deck: Deck
  /** Ends it now: the old deck is silent, the new one at its full level. */
  finish: () => void
}

const stepMs = 20

/** Fades one deck into the other by the clock on the wall, so that a slow timer only makes coarser steps. */
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

/** Lets the old deck play out. It says when it has ended; the timer is for the case that it never does. */
export function startPlayOut(from: Deck, onDone: () => void): Tail {
  const timer = setTimeout(finish, from.remainingSeconds * 1000 + 500)

  function finish() {
    clearTimeout(timer)
    from.pause()
    onDone()
  }

  return { deck: from, finish }
}
