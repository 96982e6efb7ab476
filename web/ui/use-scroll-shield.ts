// While a list scrolls, one sheet of nothing lies over its rows. Without it the browser looks, after every frame, for
// what is beneath the resting pointer, and tells each row that passes: enter, leave, new colours. That was half of the
// time of a frame. A pointer that really moves takes the sheet away at once.
import { useEffect, type RefObject } from 'react'

/** After the last scroll event; on a slow device the next may come that late. */
const restMs = 300

/**
 * Marks the list with `data-scrolling` while what it scrolls in is scrolled: the document, or the list's `box`. The
 * list's style gives it the sheet: an `::after` that covers it.
 */
export function useScrollShield(
  list: RefObject<HTMLElement | null>,
  box?: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const element = list.current
    const scroller = box ? box.current : document
    if (!element || !scroller) return
    let resting: ReturnType<typeof setTimeout> | undefined
    const lift = () => {
      clearTimeout(resting)
      resting = undefined
      element.removeAttribute('data-scrolling')
    }
    const onScroll = () => {
      if (resting === undefined) element.setAttribute('data-scrolling', '')
      clearTimeout(resting)
      resting = setTimeout(lift, restMs)
    }
    const onPointerMove = ({ movementX, movementY }: PointerEvent) => {
      if (resting !== undefined && (movementX !== 0 || movementY !== 0)) lift()
    }
    const passive = { passive: true }
    scroller.addEventListener('scroll', onScroll, passive)
    element.addEventListener('pointermove', onPointerMove, passive)
    return () => {
      scroller.removeEventListener('scroll', onScroll)
      element.removeEventListener('pointermove', onPointerMove)
      lift()
    }
  }, [list, box])
}
