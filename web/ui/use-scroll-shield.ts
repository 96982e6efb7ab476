// While a list scrolls, one sheet of nothing lies over its rows. Without it the browser looks, after every frame, for
// what is beneath the resting pointer, and tells each row that passes: enter, leave, new colours. That was half of the
// time of a frame. A pointer that really moves takes the sheet away at once, and a click upon it goes to what lies below:
// whoever scrolls and clicks without moving the hand means the row that they see.
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
    let isPressed = false
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
    const onClick = (event: MouseEvent) => {
      // Only the sheet itself: a press that began on it ends on the list, whatever lies there.
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
      isPressed = resting !== undefined && target === element
      if (isPressed) lift()
    }
    const listening = new AbortController()
    const { signal } = listening
    const passive = { passive: true, signal }
    scroller.addEventListener('scroll', onScroll, passive)
    element.addEventListener('pointermove', onPointerMove, passive)
    element.addEventListener('pointerdown', onPointerDown, passive)
    element.addEventListener('click', onClick, { signal })
    return () => {
      listening.abort()
      lift()
    }
  }, [list, box])
}
