// Pointer handling for moving a row: the row follows the pointer, and the box scrolls while the pointer is near an
// edge.

export interface PullListener {
  onBegin: (entryId: number) => void
  /** @param pulledPx distance from the row's position in the list, including scrolling */
  onPulled: (entryId: number, pulledPx: number) => void
  onDrop: () => void
  onCancel: () => void
}

interface Pull {
  pointerId: number
  entryId: number
  row: HTMLElement
  /** Relative to the list, which may scroll meanwhile. */
  startPx: number
  clientY: number
  hasBegun: boolean
}

/** A movement shorter than this counts as a click. */
const beginAfterPx = 4
/** The box scrolls while the pointer is within this distance of an edge. */
const edgePx = 56
const fastestPxPerFrame = 14

/** Makes rows draggable by their handles (`data-handle`) until the returned function is called. */
export function pullRows(box: HTMLElement, listener: PullListener): () => void {
  let pull: Pull | null = null
  let frame = 0
  const listening = new AbortController()

  function onPointerDown(event: PointerEvent) {
    const handle = handleAt(event)
    const row = handle?.closest('li')
    if (!handle || !row || pull || event.button !== 0) return
    const { pointerId, clientY } = event
    handle.setPointerCapture(pointerId)
    const entryId = Number(handle.dataset['handle'])
    const startPx = clientY + box.scrollTop
    pull = { pointerId, entryId, row, startPx, clientY, hasBegun: false }
  }

  function onPointerMove({ pointerId, clientY }: PointerEvent) {
    if (pull?.pointerId !== pointerId) return
    pull.clientY = clientY
    if (!pull.hasBegun) {
      if (Math.abs(clientY + box.scrollTop - pull.startPx) < beginAfterPx) return
      pull.hasBegun = true
      listener.onBegin(pull.entryId)
      frame = requestAnimationFrame(scrollAtEdge)
    }
    follow(pull)
  }

  function follow({ clientY, startPx, row, entryId }: Pull) {
    const pulledPx = clientY + box.scrollTop - startPx
    row.style.translate = `0 ${pulledPx}px`
    listener.onPulled(entryId, pulledPx)
  }

  function scrollAtEdge() {
    if (!pull) return
    const { top, bottom } = box.getBoundingClientRect()
    const above = Math.min(0, pull.clientY - top - edgePx)
    const below = Math.max(0, pull.clientY - bottom + edgePx)
    const before = box.scrollTop
    const share = Math.min(Math.max((above + below) / edgePx, -1), 1)
    if (share !== 0) box.scrollTop += share * fastestPxPerFrame
    if (box.scrollTop !== before) follow(pull)
    frame = requestAnimationFrame(scrollAtEdge)
  }

  function endDrag(end: () => void) {
    if (!pull) return
    const { row, hasBegun } = pull
    pull = null
    cancelAnimationFrame(frame)
    row.style.translate = ''
    if (hasBegun) end()
  }

  function onPointerUp({ pointerId }: PointerEvent) {
    if (pull?.pointerId === pointerId) endDrag(listener.onDrop)
  }

  // Cancels the move on Escape. Registered in the capture phase, so that the surrounding dialog or panel doesn't handle
  // the key first.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !pull?.hasBegun) return
    event.preventDefault()
    event.stopPropagation()
    endDrag(listener.onCancel)
  }

  const { signal } = listening
  box.addEventListener('pointerdown', onPointerDown, { signal })
  box.addEventListener('pointermove', onPointerMove, { signal })
  box.addEventListener('pointerup', onPointerUp, { signal })
  box.addEventListener('pointercancel', () => endDrag(listener.onCancel), { signal })
  addEventListener('keydown', onKeyDown, { signal, capture: true })
  return () => {
    endDrag(listener.onCancel)
    listening.abort()
  }
}

/** Returns the row handle that the event's target belongs to. */
export function handleAt({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-handle]') : null
}
