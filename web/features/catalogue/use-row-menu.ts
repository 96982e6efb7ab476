// Opens the menu of a row by right click, by long press on touch, and by the context menu key. Attach the handlers to
// the element that contains the rows.
import {
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react'
import { swallowNextClick } from '../../base/ui/overlays/swallow-next-click.ts'
import type { FloatingAnchor } from '../../base/ui/layout/place-floating.ts'

/** Uses the delay of Android. Android fires `contextmenu` itself; iOS has no event for a long press. */
const longPressMs = 500
/** A touch that moves further than this is a scroll. */
const longPressMovePx = 10

/** Opens the menu for the row around `target`. Returns false if there is no row. */
export type OpenRowMenu = (target: Element, anchorIn: (row: Element) => FloatingAnchor) => boolean

export function useRowMenu(open: OpenRowMenu) {
  const press = useRef<{ timer: number; x: number; y: number }>(undefined)
  const latestOpen = useRef(open)
  useLayoutEffect(() => {
    latestOpen.current = open
  })
  const cancelPress = () => {
    clearTimeout(press.current?.timer)
    press.current = undefined
  }
  useEffect(() => cancelPress, [])

  return {
    onContextMenu(event: MouseEvent) {
      const isTouch = press.current !== undefined
      cancelPress()
      const { clientX, clientY } = event
      if (!open(event.target as Element, (row) => pointIn(row, clientX, clientY))) return
      event.preventDefault()
      if (isTouch) swallowNextClick()
    },
    onKeyDownCapture(event: KeyboardEvent) {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
      const target = event.target as Element
      if (!open(target, () => target)) return
      event.preventDefault()
      event.stopPropagation()
    },
    onPointerDownCapture(event: PointerEvent) {
      cancelPress()
      if (event.pointerType !== 'touch' || !event.isPrimary) return
      const { clientX: x, clientY: y, target } = event
      const timer = window.setTimeout(() => {
        const isOpen = latestOpen.current(target as Element, (row) => pointIn(row, x, y))
        // The click that ends a long press must not play the row or choose an item of the menu under the finger.
        if (isOpen) swallowNextClick()
      }, longPressMs)
      press.current = { timer, x, y }
    },
    onPointerMoveCapture({ clientX, clientY }: PointerEvent) {
      if (!press.current) return
      const movedPx = Math.hypot(clientX - press.current.x, clientY - press.current.y)
      if (movedPx > longPressMovePx) cancelPress()
    },
    onPointerUpCapture: cancelPress,
    onPointerCancelCapture: cancelPress,
  }
}

/** Returns a position that moves with its row during a scroll. */
function pointIn(row: Element, x: number, y: number): FloatingAnchor {
  const start = row.getBoundingClientRect()
  return {
    getBoundingClientRect() {
      const now = row.getBoundingClientRect()
      const left = x + now.left - start.left
      const top = y + now.top - start.top
      return { top, bottom: top, left, right: left, width: 0 }
    },
  }
}
