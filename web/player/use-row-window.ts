// Which rows of a long list are to be drawn. All rows have one height, so this is arithmetic: it costs the
// same for 20 rows and for 20,000.
import { useLayoutEffect, useState, type RefObject } from 'react'

/** Indexes; `end` is the first that is not drawn. */
export interface RowWindow {
  start: number
  end: number
}

/** Drawn beyond both edges, so that a slow scroll meets finished rows and the focus has where to go. */
const overscanRows = 4
/** Before the box has been measured. */
const likelyRows = 12

export function useRowWindow(
  box: RefObject<HTMLElement | null>,
  options: { rowHeightPx: number; count: number; /** It opens there. */ topRow: number },
): RowWindow {
  const { rowHeightPx, count, topRow } = options
  const [shown, setShown] = useState<RowWindow>({ start: topRow, end: topRow + likelyRows })

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    scrollTo(element, topRow * rowHeightPx)
    const measure = () => {
      const start = Math.floor(element.scrollTop / rowHeightPx)
      const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeightPx)
      setShown((before) => (before.start === start && before.end === end ? before : { start, end }))
    }
    measure()
    const resizing = new ResizeObserver(measure)
    resizing.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      resizing.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [box, topRow, rowHeightPx])

  // A list that became shorter has fewer rows before the browser has scrolled.
  const end = Math.min(shown.end + overscanRows, count)
  return { start: Math.max(0, Math.min(shown.start - overscanRows, end - 1)), end }
}

function scrollTo(box: HTMLElement, px: number): void {
  box.scrollTop = px
}
