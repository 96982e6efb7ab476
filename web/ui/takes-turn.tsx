// Many rows that come into sight at once, as under a fast wheel or a dragged scrollbar, are drawn in full a
// few per frame, so that no frame becomes a long one. Until its turn comes a row shows something cheap. Its picture
// has a turn of its own, after the rows.
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'

/** Rows and pictures. A window full of them is whole within a tenth of a second where frames come in time. */
const mostRowsPerFrame = 5
/** A frame that comes later than that had too much to do. */
const lateFrameMs = 25

/** In the order in which they appeared. */
const waiting = new Set<() => void>()
let frame: number | undefined
let rowsPerFrame = 1
let lastFrameMs = -Infinity

function nextTurns(nowMs: number): void {
  // One row a frame always fits; more only as long as the device keeps up with them.
  const isLate = nowMs - lastFrameMs > lateFrameMs
  rowsPerFrame = isLate ? 1 : Math.min(rowsPerFrame + 1, mostRowsPerFrame)
  lastFrameMs = nowMs
  frame = undefined
  let turns = 0
  for (const take of waiting) {
    if (turns === rowsPerFrame) break
    waiting.delete(take)
    take()
    turns += 1
  }
  if (waiting.size > 0) frame = requestAnimationFrame(nextTurns)
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
    }
  }, [hasTurn])
  if (!hasTurn && !isWanted) return whileWaiting
  return <DrawnAtOnce value={wasAtOnce}>{children}</DrawnAtOnce>
}
