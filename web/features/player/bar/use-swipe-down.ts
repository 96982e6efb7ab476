// Dismisses a sheet when the user swipes it down.
import { useRef, type PointerEvent } from 'react'

/** The sheet is dismissed beyond this distance or speed; otherwise it snaps back. */
const farPx = 120
const fastPxPerMs = 0.55
const startPx = 8

interface Pull {
  pointerId: number
  fromY: number
  lastY: number
  lastMs: number
  speed: number
}

/**
 * Returns handlers for the drag area. The surrounding dialog gets the distance as `--pull` in pixels, and
 * `data-pulling` during the drag.
 */
export function useSwipeDown(onDismiss: () => void) {
  const pull = useRef<Pull | null>(null)

  function onPointerDown({ pointerId, pointerType, clientY, timeStamp }: PointerEvent) {
    if (pointerType === 'mouse' || pull.current) return
    pull.current = { pointerId, fromY: clientY, lastY: clientY, lastMs: timeStamp, speed: 0 }
  }

  function onPointerMove({ pointerId, clientY, timeStamp, currentTarget }: PointerEvent) {
    const held = pull.current
    if (held?.pointerId !== pointerId) return
    const distance = clientY - held.fromY
    if (distance > startPx) currentTarget.setPointerCapture(pointerId)
    held.speed = (clientY - held.lastY) / Math.max(1, timeStamp - held.lastMs)
    held.lastY = clientY
    held.lastMs = timeStamp
    show(currentTarget, distance > startPx ? distance - startPx : null)
  }

  function onPointerUp({ pointerId, clientY, currentTarget }: PointerEvent) {
    const held = pull.current
    if (held?.pointerId !== pointerId) return
    pull.current = null
    const distance = clientY - held.fromY
    show(currentTarget, null)
    if (distance > farPx || (distance > startPx && held.speed > fastPxPerMs)) onDismiss()
  }

  function onPointerCancel({ pointerId, currentTarget }: PointerEvent) {
    if (pull.current?.pointerId !== pointerId) return
    pull.current = null
    show(currentTarget, null)
  }

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel }
}

function show(part: Element, pixels: number | null): void {
  const sheet = part.closest('dialog')
  if (pixels === null) {
    sheet?.removeAttribute('data-pulling')
    sheet?.style.removeProperty('--pull')
  } else {
    sheet?.setAttribute('data-pulling', '')
    sheet?.style.setProperty('--pull', `${pixels}px`)
  }
}
