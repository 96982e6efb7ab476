// The entries of the queue in their own scroll box. Only visible rows are rendered, plus the one being moved, so 20,000
// entries cost as little as 20.
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useEffect, useId, useRef, useState, type RefObject } from 'react'
import { keepRowFocus } from '../../../base/ui/lists/keep-row-focus.ts'
import { useScrollShield } from '../../../base/ui/lists/use-scroll-shield.ts'
import { VisuallyHidden } from '../../../base/ui/layout/visually-hidden.tsx'
import { moveRows, type MovedRow } from './move-rows.ts'
import { usePlayer } from '../playback/player-store.ts'
import styles from './queue-list.module.css'
import { queueRowHeightPx, QueueRow } from './queue-row.tsx'

const overscanRows = 4
/** Assumed height of the box until it is measured, so that the panel opens with rows. */
const likelyHeightPx = 720

export function QueueList({ openedAt }: { openedAt: number }) {
  // Deferred: the click that changed the queue is handled first, and the rows are rendered in slices afterwards.
  const { entries, index: currentIndex } = useDeferredValue(usePlayer((state) => state.queue))
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  useScrollShield(list, box)
  useEffect(() => keepRowFocus(box.current), [])
  const instructionsId = useId()
  const { moved, announcement } = useMovedRow(box)
  const from = moved ? entries.findIndex((entry) => entry.entry_id === moved.entryId) : -1
  const virtualizer = useRows(box, { count: entries.length, openedAt, pinnedIndex: from })

  return (
    <>
      <div ref={box} className={styles.box}>
        <ol
          ref={list}
          className={styles.list}
          style={{ height: entries.length * queueRowHeightPx }}
          data-sorting={moved !== null || undefined}
          aria-label="Queue"
        >
          {virtualizer.getVirtualItems().map(({ index }) => {
            const entry = entries[index]
            return (
              entry && (
                <QueueRow
                  key={entry.entry_id}
                  entry={entry}
                  index={index}
                  total={entries.length}
                  time={toRelativePosition(index, currentIndex)}
                  shift={moved && from >= 0 ? getRowShift(index, from, moved) : 0}
                  isMoved={index === from}
                  instructionsId={instructionsId}
                  isScrolling={virtualizer.isScrolling}
                />
              )
            )
          })}
        </ol>
      </div>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <VisuallyHidden id={instructionsId} hidden>
        Press Space or Enter to pick up. Use the up and down arrows to move, Space or Enter to drop,
        Escape to cancel.
      </VisuallyHidden>
    </>
  )
}

/** @param options.pinnedIndex stays rendered even when it is scrolled out of view; -1 for none */
function useRows(
  box: RefObject<HTMLElement | null>,
  options: { count: number; openedAt: number; pinnedIndex: number },
) {
  const { count, openedAt, pinnedIndex } = options
  // The panel opens with the rows in view. Those around them are rendered afterwards, at low priority.
  const overscan = useDeferredValue(overscanRows, 0)
  return useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => queueRowHeightPx,
    overscan,
    initialOffset: Math.max(0, openedAt - 1) * queueRowHeightPx,
    initialRect: { width: 0, height: likelyHeightPx },
    // Render in React's own task: flushing inside the scroll handler makes one long task.
    useFlushSync: false,
    rangeExtractor(range) {
      const indexes = defaultRangeExtractor(range)
      return pinnedIndex < 0 || indexes.includes(pinnedIndex) ? indexes : [...indexes, pinnedIndex]
    },
  })
}

function useMovedRow(box: { current: HTMLElement | null }) {
  const [moved, setMoved] = useState<MovedRow | null>(null)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    const element = box.current
    if (!element) return
    return moveRows(element, queueRowHeightPx, {
      onMoved: setMoved,
      onAnnouncement: setAnnouncement,
      reveal: (index) => reveal(element, index),
    })
  }, [box])
  return { moved, announcement }
}

/** Scrolls the box just far enough to show the row and one neighbor. */
function reveal(box: HTMLElement, index: number): void {
  const highest = (index + 2) * queueRowHeightPx - box.clientHeight
  const lowest = (index - 1) * queueRowHeightPx
  box.scrollTop = Math.min(Math.max(box.scrollTop, highest), lowest)
}

function toRelativePosition(index: number, currentIndex: number): 'past' | 'now' | 'next' {
  if (index === currentIndex) return 'now'
  return index < currentIndex ? 'past' : 'next'
}

/** Returns how many places a row shifts to make room, or how far the moved row itself has shifted. */
function getRowShift(index: number, from: number, { to, isPulled }: MovedRow): number {
  // A dragged row follows the pointer instead.
  if (index === from) return isPulled ? 0 : to - from
  if (from < index && index <= to) return -1
  return to <= index && index < from ? 1 : 0
}
