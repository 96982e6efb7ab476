// Many rows that come into sight at once, as under a fast wheel or a dragged scrollbar, are drawn in full a
// few per frame, so that no frame becomes a long one. Until its turn comes a row shows something cheap. Its picture
// has a turn of its own, after the rows.
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'

/** Rows and pictures. A window full of them is whole within a tenth of a second where frames are light. */
const mostRowsPerFrame = 5
/** A frame that takes longer from when it was due until it is drawn leaves no room for more. */
const heavyFrameMs = 12

/** In the order in which they appeared. */
const waiting = new Set<() => void>()
/** On their way: several of them would be drawn in one frame if more were let go before they are there. */
const going = new Set<() => void>()
let frame: number | undefined
let rowsPerFrame = 1

function nextTurns(dueMs: number): void {
  // What is put off within a frame comes once it is drawn.
  setTimeout(weigh, 0, dueMs)
  frame = undefined
  if (going.size === 0) {
    for (const take of waiting) {
      if (going.size === rowsPerFrame) break
      waiting.delete(take)
      going.add(take)
      take()
    }
  }
  if (waiting.size > 0) frame = requestAnimationFrame(nextTurns)
}

/** One row a frame always fits; more only as long as the device keeps up with them. */
function weigh(dueMs: number): void {
  const isHeavy = performance.now() - dueMs > heavyFrameMs
  // Whatever comes after a rest begins with one again.
  const isOver = waiting.size === 0
  rowsPerFrame = isHeavy || isOver ? 1 : Math.min(rowsPerFrame + 1, mostRowsPerFrame)
}

/** Whether what is around was drawn without waiting. */
const DrawnAtOnce = createContext(true)

export interface TakesTurnProps {
  /**
   * Nothing moves, so there is no frame to keep short. Only what it is when the row appears counts. Left out, it is as
   * with the row around.
   */
  atOnce?: boolean
  /** This row cannot wait: the focus is on its way to it. */
  isWanted?: boolean
  whileWaiting: ReactNode
  children: ReactNode
}

export function TakesTurn(props: TakesTurnProps) {
  const isWithin = useContext(DrawnAtOnce)
  const { atOnce = isWithin, isWanted = false, whileWaiting, children } = props
  const [wasAtOnce] = useState(atOnce)
  const [hasTurn, setHasTurn] = useState(atOnce)
  useEffect(() => {
    if (hasTurn) return
    const take = () => setHasTurn(true)
    waiting.add(take)
    frame ??= requestAnimationFrame(nextTurns)
    return () => {
      waiting.delete(take)
      going.delete(take)
    }
  }, [hasTurn])
  if (!hasTurn && !isWanted) return whileWaiting
  return <DrawnAtOnce value={wasAtOnce}>{children}</DrawnAtOnce>
}
