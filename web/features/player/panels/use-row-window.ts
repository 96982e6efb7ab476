// Computes which rows of a long list to render. All rows have the same height, so the cost doesn't depend on the list's
// length.
import { useLayoutEffect, useState, type RefObject } from 'react'

/** Indexes; `end` is exclusive. */
export interface RowWindow {
  start: number
  end: number
  /** Whether the box was scrolled since it opened. */
  hasScrolled: boolean
}

/** Extra rows beyond both edges, so that slow scrolling shows finished rows and the focus can move there. */
const overscanRows = 4
/** Used until the box is measured. */
const likelyRows = 12

export function useRowWindow(
  box: RefObject<HTMLElement | null>,
  options: { rowHeightPx: number; count: number; /** Row at which it opens. */ topRow: number },
): RowWindow {
  const { rowHeightPx, count, topRow } = options
  const [shown, setShown] = useState<RowWindow>({
    start: topRow,
    end: topRow + likelyRows,
    hasScrolled: false,
  })

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    scrollTo(element, topRow * rowHeightPx)
    const openedAtPx = element.scrollTop
    const measure = () => {
      const start = Math.floor(element.scrollTop / rowHeightPx)
      const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeightPx)
      setShown((before) => {
        const hasScrolled = before.hasScrolled || element.scrollTop !== openedAtPx
        const isSame =
          before.start === start && before.end === end && before.hasScrolled === hasScrolled
        return isSame ? before : { start, end, hasScrolled }
      })
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

  // A list that became shorter has fewer rows before the browser adjusts the scroll position.
  const end = Math.min(shown.end + overscanRows, count)
  const start = Math.max(0, Math.min(shown.start - overscanRows, end - 1))
  return { start, end, hasScrolled: shown.hasScrolled }
}

function scrollTo(box: HTMLElement, px: number): void {
  box.scrollTop = px
}
