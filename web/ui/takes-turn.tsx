// Many rows that come into sight at once, as under a fast wheel or a dragged scrollbar, are drawn in full a
// few per frame, so that no frame becomes a long one. Until its turn comes a row shows something cheap.
import { useEffect, useState, type ReactNode } from 'react'

const rowsPerFrame = 4

/** In the order in which they appeared. */
const waiting = new Set<() => void>()
let frame: number | undefined

function nextTurns(): void {
  frame = undefined
  let turns = 0
  for (const take of waiting) {
    if (turns === rowsPerFrame) {
      frame = requestAnimationFrame(nextTurns)
      return
    }
    waiting.delete(take)
    take()
    turns += 1
  }
}

export interface TakesTurnProps {
  /** Nothing moves, so there is no frame to keep short. Only what it is when the row appears counts. */
  atOnce: boolean
  /** This row cannot wait: the focus is on its way to it. */
  isWanted?: boolean
  whileWaiting: ReactNode
  children: ReactNode
}

export function TakesTurn(props: TakesTurnProps) {
  const { atOnce, isWanted = false, whileWaiting, children } = props
  const [hasTurn, setHasTurn] = useState(atOnce)
  useEffect(() => {
    if (hasTurn) return
    const take = () => setHasTurn(true)
    waiting.add(take)
    frame ??= requestAnimationFrame(nextTurns)
    return () => {
      waiting.delete(take)
    }
  }, [hasTurn])
  return hasTurn || isWanted ? children : whileWaiting
}
