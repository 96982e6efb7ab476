// When many rows come into view together, as with a fast wheel or a dragged scrollbar, only a few are fully rendered
// per frame, so that no frame gets long. Until its turn a row shows a cheap placeholder. Its picture takes a separate
// turn, after the rows.
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'

/** Counts rows and pictures. With light frames a full window is complete within a tenth of a second. */
const mostRowsPerFrame = 5
/** A frame that takes longer from its due time until it is drawn has no room for more rows. */
const heavyFrameMs = 12

/** In the order in which they mounted. */
const waiting = new Set<() => void>()
/** Rows released but not yet painted; cap them so one frame never paints several batches. */
const going = new Set<() => void>()
let frame: number | undefined
let rowsPerFrame = 1

function nextTurns(dueMs: number): void {
  // A timeout set within a frame runs after the frame is drawn.
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

/** One row per frame always fits. The number grows only while the device keeps up. */
function weigh(dueMs: number): void {
  const isHeavy = performance.now() - dueMs > heavyFrameMs
  // After an idle time, start with one row again.
  const isOver = waiting.size === 0
  rowsPerFrame = isHeavy || isOver ? 1 : Math.min(rowsPerFrame + 1, mostRowsPerFrame)
}

/** Whether the surrounding row was rendered immediately. */
const DrawnAtOnce = createContext(true)

export interface TakesTurnProps {
  /** Render immediately, because nothing scrolls. Read once on mount; defaults to the surrounding row's value. */
  atOnce?: boolean
  /** Render this row immediately: it is about to get the focus. */
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
