// Covers a list with a transparent shield while it scrolls. Without it the browser hit-tests the resting pointer after
// every frame, and each passing row gets hover events and styles. That took half of the frame time. A real pointer move
// removes the shield immediately. A click on it is passed on to the element below, because a user who scrolls and
// clicks without moving means the visible row.
import { useEffect, type RefObject } from 'react'

/**
 * Scrolling counts as ended after this time without a scroll event. On slow devices the next event may arrive this
 * late.
 */
const restMs = 300

/**
 * Sets `data-scrolling` on the list while its scroller moves: the document, or `box`. The list's style draws the shield
 * as an `::after` that covers it.
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
    /** True while the pointer is down, on the shield or on a row. */
    let isDown = false
    let isPressed = false
    const lift = () => {
      clearTimeout(resting)
      resting = undefined
      element.removeAttribute('data-scrolling')
    }
    const onScroll = () => {
      // A shield that appears between press and release would swallow the click.
      if (isDown) return
      if (resting === undefined) element.setAttribute('data-scrolling', '')
      clearTimeout(resting)
      resting = setTimeout(lift, restMs)
    }
    const onPointerMove = ({ movementX, movementY }: PointerEvent) => {
      if (resting !== undefined && (movementX !== 0 || movementY !== 0)) lift()
    }
    const onClick = (event: MouseEvent) => {
      // Handle only clicks on the shield itself: a press that starts on it also ends on it.
      if (event.target !== element || !isPressed) return
      isPressed = false
      const { clientX, clientY, detail, view } = event
      const below = document.elementFromPoint(clientX, clientY)
      if (!below || below === element || !element.contains(below)) return
      event.stopPropagation()
      const again = { bubbles: true, cancelable: true, clientX, clientY, detail, view }
      below.dispatchEvent(new MouseEvent('click', again))
    }
    const onPointerDown = ({ target }: PointerEvent) => {
      isDown = true
      isPressed = resting !== undefined && target === element
      lift()
    }
    // A touch that becomes a scroll ends with `pointercancel`.
    const onPointerEnd = () => {
      isDown = false
    }
    const listening = new AbortController()
    const { signal } = listening
    const passive = { passive: true, signal }
    scroller.addEventListener('scroll', onScroll, passive)
    element.addEventListener('pointermove', onPointerMove, passive)
    element.addEventListener('pointerdown', onPointerDown, passive)
    element.addEventListener('click', onClick, { signal })
    window.addEventListener('pointerup', onPointerEnd, passive)
    window.addEventListener('pointercancel', onPointerEnd, passive)
    return () => {
      listening.abort()
      lift()
    }
  }, [list, box])
}
