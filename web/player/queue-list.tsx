// The entries of the queue in a box of their own that scrolls. Rows out of sight do not exist, except the
// one that is moved, so 20,000 are as light as 20.
import {
  DndContext,
  KeyboardSensor,
  PointerSensor,
  closestCenter,
  useSensor,
  useSensors,
  type Announcements,
  type DragEndEvent,
} from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { QueueEntry } from './play-queue.ts'
import { moveInQueue } from './player-actions.ts'
import { usePlayer } from './player-store.ts'
import styles from './queue-list.module.css'
import { QueueRow } from './queue-row.tsx'

export const queueRowHeightPx = 60

export function QueueList({ openedAt }: { openedAt: number }) {
  const entries = usePlayer((state) => state.queue.entries)
  const currentIndex = usePlayer((state) => state.queue.index)
  const box = useRef<HTMLDivElement>(null)
  const [movedId, setMovedId] = useState<number | null>(null)
  const ids = useMemo(() => entries.map((entry) => entry.entry_id), [entries])
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor),
  )
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => queueRowHeightPx,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 8,
    rangeExtractor: (range) => withMoved(range, movedId === null ? -1 : ids.indexOf(movedId)),
  })

  useLayoutEffect(() => {
    virtualizer.scrollToIndex(Math.max(0, openedAt - 1), { align: 'start' })
  }, [openedAt, virtualizer])

  function onDragEnd({ active, over }: DragEndEvent) {
    setMovedId(null)
    if (over && active.id !== over.id) moveInQueue(Number(active.id), ids.indexOf(Number(over.id)))
  }

  return (
    <div ref={box} className={styles.box}>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements: announcements(entries), screenReaderInstructions }}
        onDragStart={({ active }) => setMovedId(Number(active.id))}
        onDragCancel={() => setMovedId(null)}
        onDragEnd={onDragEnd}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <ol
            className={styles.list}
            style={{ height: virtualizer.getTotalSize() }}
            aria-label="Queue"
          >
            {virtualizer.getVirtualItems().map((row) => {
              const entry = entries[row.index]
              return (
                entry && (
                  <QueueRow
                    key={row.key}
                    entry={entry}
                    topPx={row.start}
                    position={row.index + 1}
                    total={entries.length}
                    time={place(row.index, currentIndex)}
                  />
                )
              )
            })}
          </ol>
        </SortableContext>
      </DndContext>
    </div>
  )
}

function place(index: number, currentIndex: number): 'past' | 'now' | 'next' {
  if (index === currentIndex) return 'now'
  return index < currentIndex ? 'past' : 'next'
}

/** What is moved must exist, however far the list scrolls away from where it was. */
function withMoved(range: Range, movedIndex: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (movedIndex < 0 || indexes.includes(movedIndex)) return indexes
  return [...indexes, movedIndex].sort((a, b) => a - b)
}

const screenReaderInstructions = {
  draggable:
    'Press Space or Enter to pick up. Use the up and down arrows to move, Space or Enter to drop, Escape to cancel.',
}

function announcements(entries: readonly QueueEntry[]): Announcements {
  const find = (id: unknown) => entries.findIndex((entry) => entry.entry_id === Number(id))
  const name = (id: unknown) => entries[find(id)]?.track.title ?? 'The track'
  const position = (id: unknown) => `position ${find(id) + 1} of ${entries.length}`
  return {
    onDragStart: ({ active }) => `Picked up ${name(active.id)}, ${position(active.id)}.`,
    onDragOver: ({ active, over }) =>
      over && over.id !== active.id ? `${name(active.id)} is at ${position(over.id)}.` : undefined,
    onDragEnd: ({ active, over }) =>
      `${name(active.id)} was dropped at ${position((over ?? active).id)}.`,
    onDragCancel: ({ active }) => `${name(active.id)} stays at ${position(active.id)}.`,
  }
}
