// Opens the menu of a row by right click, by long press on touch, and by the context menu key. The handlers go on
// the element around the rows.
import {
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react'
import type { FloatingAnchor } from '../ui/place-floating.ts'

/** As long as Android takes. Android sends `contextmenu` itself; iOS has no event for a long press. */
const longPressMs = 500
/** A finger that moves further than this scrolls. */
const longPressMovePx = 10

/** Opens the menu for the row around `target`. Returns false where there is no row. */
export type OpenRowMenu = (target: Element, anchorIn: (row: Element) => FloatingAnchor) => boolean

export function useRowMenu(open: OpenRowMenu) {
  const press = useRef<{ timer: number; x: number; y: number }>(undefined)
  const wasOpenedByPress = useRef(false)
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
      cancelPress()
      const { clientX, clientY } = event
      const isOpen = open(event.target as Element, (row) => pointIn(row, clientX, clientY))
      if (isOpen) event.preventDefault()
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
      wasOpenedByPress.current = false
      if (event.pointerType !== 'touch' || !event.isPrimary) return
      const { clientX: x, clientY: y, target } = event
      const timer = window.setTimeout(() => {
        wasOpenedByPress.current = latestOpen.current(target as Element, (row) =>
          pointIn(row, x, y),
        )
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
    onClickCapture(event: MouseEvent) {
      if (!wasOpenedByPress.current) return
      // The finger that opened the menu is lifted; that is no tap on the row.
      wasOpenedByPress.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

/** A point that scrolls along with its row. */
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
