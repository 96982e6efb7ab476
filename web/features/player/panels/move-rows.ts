// Reorders rows of the queue by pointer, touch and keyboard. All rows have the same height, so the target follows from
// the distance dragged: no row is measured, even in long lists. A handle carries its entry's id in `data-handle`.
// Invariant: one row is moved at a time.
import { moveInQueue } from '../playback/player-actions.ts'
import { usePlayer } from '../playback/player-store.ts'
import { handleAt, pullRows } from '../queue/pull-rows.ts'

/** The move in progress. `to` is the index at which the entry would be dropped now. */
export interface MovedRow {
  entryId: number
  to: number
  /** True if the entry is moved by a pointer, false if by keys. */
  isPulled: boolean
}

export interface MoveListener {
  /** Called with null when the move has ended. */
  onMoved: (moved: MovedRow | null) => void
  /** Called with the text to announce to screen readers. */
  onAnnouncement: (text: string) => void
  /** Called when a row moved by key is outside the rendered window. */
  reveal: (index: number) => void
}

const keySteps: Record<string, number | undefined> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
}

const entries = () => usePlayer.getState().queue.entries
const indexOf = (entryId: number) => entries().findIndex((entry) => entry.entry_id === entryId)
const place = (index: number) =>
  `position ${(index + 1).toLocaleString('en')} of ${entries().length.toLocaleString('en')}`

/** Enables moving rows in this box until the returned function is called. */
export function moveRows(box: HTMLElement, rowHeightPx: number, listener: MoveListener) {
  let moved: MovedRow | null = null

  const announce = (entryId: number, what: string) => {
    const title = entries()[indexOf(entryId)]?.track.title ?? 'The track'
    listener.onAnnouncement(`${title} ${what}.`)
  }

  function become(next: MovedRow | null) {
    moved = next
    listener.onMoved(next)
  }

  function pickUp(entryId: number, isPulled: boolean) {
    const to = indexOf(entryId)
    if (to < 0) return
    become({ entryId, to, isPulled })
    announce(entryId, `was picked up at ${place(to)}`)
  }

  function moveTo(index: number) {
    if (!moved) return
    const to = Math.min(Math.max(index, 0), entries().length - 1)
    if (to === moved.to) return
    become({ ...moved, to })
    announce(moved.entryId, `is at ${place(to)}`)
  }

  function drop() {
    if (!moved) return
    const { entryId, to } = moved
    announce(entryId, `was dropped at ${place(to)}`)
    become(null)
    moveInQueue(entryId, to)
  }

  function cancel() {
    if (!moved) return
    announce(moved.entryId, `stays at ${place(indexOf(moved.entryId))}`)
    become(null)
  }

  function onKeyDown(event: KeyboardEvent) {
    const handle = handleAt(event)
    if (!handle) return
    const entryId = Number(handle.dataset['handle'])
    const step = keySteps[event.key]
    if (event.key === ' ' || event.key === 'Enter') {
      if (event.repeat) return event.preventDefault()
      if (moved) drop()
      else pickUp(entryId, false)
    } else if (moved && event.key === 'Escape') {
      cancel()
    } else if (moved && step !== undefined) {
      moveTo(moved.to + step)
      listener.reveal(moved.to)
    } else {
      return
    }
    event.preventDefault()
  }

  const stopPulling = pullRows(box, {
    onBegin: (entryId) => pickUp(entryId, true),
    onPulled: (entryId, pulledPx) => moveTo(indexOf(entryId) + Math.round(pulledPx / rowHeightPx)),
    onDrop: drop,
    onCancel: cancel,
  })
  box.addEventListener('keydown', onKeyDown)
  box.addEventListener('focusout', cancel)
  return () => {
    stopPulling()
    box.removeEventListener('keydown', onKeyDown)
    box.removeEventListener('focusout', cancel)
  }
}
