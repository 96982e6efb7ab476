// A list whose rows can be moved by pointer, touch and keyboard (25 px a step, dnd-kit's default). Only visible rows
// are rendered, plus the one being moved, so thousands of rows stay cheap.
import {
  DndContext,
  KeyboardSensor,
  PointerSensor,
  closestCenter,
  getClientRect,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import type {
  Announcements,
  ClientRect,
  DragEndEvent,
  ScreenReaderInstructions,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { IconGripVertical } from '../icons/icons.ts'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import { ScrolledIn } from './scrolled-in.tsx'
import styles from './sortable-list.module.css'
import { useOffsetTop } from '../layout/use-offset-top.ts'

export interface SortableListProps<Item> {
  label: string
  items: readonly Item[]
  /** Returns the key of a row. Define this function outside the component, so that its identity is stable. */
  getKey: (item: Item) => string
  /** Returns the name of a row for announcements to screen readers. */
  getName: (item: Item) => string
  /** Called with indexes of `items` after a row was moved. */
  onMove: (fromIndex: number, toIndex: number) => void
  /** Renders a row, including the given drag handle. */
  renderItem: (item: Item, index: number, handle: ReactNode) => ReactNode
  /** Height of every row in pixels. */
  rowHeightPx: number
  disabled?: boolean
}

const instructions: ScreenReaderInstructions = {
  draggable:
    'Press Space or Enter to pick up. Use the up and down arrows to move, Space or Enter to drop, Escape to cancel.',
}

export function SortableList<Item>(props: SortableListProps<Item>) {
  const { label, items, getKey, getName, onMove, renderItem, rowHeightPx, disabled = false } = props
  const list = useRef<HTMLUListElement>(null)
  const offsetTopPx = useOffsetTop(list)
  const [activeIndex, setActiveIndex] = useState<number>()
  const { measureOnce, measureAgain } = useMeasureOnce()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    // Don't scroll smoothly: the next key press would interrupt the animation, and most of both steps would be lost.
    useSensor(KeyboardSensor, { scrollBehavior: 'auto' }),
  )
  // Memoized: a new list of keys would rerender every row.
  const keys = useMemo(() => items.map(getKey), [items, getKey])
  const virtualizer = useSortableRows(keys, { rowHeightPx, offsetTopPx, activeIndex })

  const indexOf = (key: string | number) => keys.indexOf(String(key))

  function endMove() {
    measureAgain()
    setActiveIndex(undefined)
  }

  function dragEnd({ active, over }: DragEndEvent) {
    endMove()
    if (over && active.id !== over.id) onMove(indexOf(active.id), indexOf(over.id))
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      measuring={{ draggable: { measure: measureOnce } }}
      accessibility={{
        announcements: announcements((key) => {
          const item = items[indexOf(key)]
          return item === undefined ? '' : getName(item)
        }, keys),
        screenReaderInstructions: instructions,
      }}
      onDragStart={({ active }) => setActiveIndex(indexOf(active.id))}
      onDragCancel={endMove}
      onDragEnd={dragEnd}
    >
      <SortableContext items={keys} strategy={verticalListSortingStrategy} disabled={disabled}>
        <ul
          ref={list}
          className={styles.list}
          style={{ height: virtualizer.getTotalSize() }}
          aria-label={label}
          onKeyDown={(event) => {
            // Beyond the middle of the window dnd-kit scrolls for this key. Prevent the browser from scrolling as well.
            if (activeIndex !== undefined && event.key.startsWith('Arrow')) event.preventDefault()
          }}
        >
          {virtualizer.getVirtualItems().map((row) => {
            const item = items[row.index]
            return item === undefined ? null : (
              <ScrolledIn
                key={row.key}
                isScrolling={virtualizer.isScrolling && row.index !== activeIndex}
              >
                <SortableRow
                  id={getKey(item)}
                  name={getName(item)}
                  topPx={row.start - offsetTopPx}
                  heightPx={rowHeightPx}
                  position={row.index + 1}
                  total={items.length}
                  draw={(handle) => renderItem(item, row.index, handle)}
                />
              </ScrolledIn>
            )
          })}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

/** Computes the positions of the rendered rows. The row that is being moved is always rendered. */
function useSortableRows(
  keys: readonly string[],
  options: { rowHeightPx: number; offsetTopPx: number; activeIndex: number | undefined },
) {
  const { rowHeightPx, offsetTopPx, activeIndex } = options
  return useWindowVirtualizer({
    count: keys.length,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 6,
    // Render in a separate React task: flushing inside the scroll handler would block the page with one long task.
    useFlushSync: false,
    scrollMargin: offsetTopPx,
    rangeExtractor(range) {
      const indexes = defaultRangeExtractor(range)
      if (activeIndex === undefined || indexes.includes(activeIndex)) return indexes
      return [...indexes, activeIndex].sort((a, b) => a - b)
    },
  })
}

/**
 * dnd-kit measures the dragged row again whenever rows around it mount or unmount, as they do in a virtual list, and
 * then misses the next scroll. The row's position at pickup is all it needs.
 */
function useMeasureOnce() {
  const rect = useRef<ClientRect>(null)
  return useMemo(
    () => ({
      measureOnce: (row: HTMLElement) =>
        (rect.current ??= getClientRect(row, { ignoreTransform: true })),
      measureAgain: () => {
        rect.current = null
      },
    }),
    [],
  )
}

interface SortableRowProps {
  id: string
  name: string
  topPx: number
  heightPx: number
  position: number
  total: number
  draw: (handle: ReactNode) => ReactNode
}

function SortableRow({ id, name, topPx, heightPx, position, total, draw }: SortableRowProps) {
  const {
    attributes,
    listeners,
    setNodeRef,
    setActivatorNodeRef,
    transform,
    transition,
    isDragging,
  } = useSortable({ id })
  const handle = (
    <button
      {...attributes}
      {...listeners}
      ref={setActivatorNodeRef}
      type="button"
      className={styles.handle}
      aria-label={`Move ${name}`}
      data-tooltip="Drag to reorder"
    >
      <IconGripVertical aria-hidden="true" />
    </button>
  )
  return (
    <li
      ref={setNodeRef}
      className={styles.row}
      data-dragging={isDragging || undefined}
      style={{
        top: topPx,
        height: heightPx,
        transform: transform ? `translateY(${transform.y}px)` : undefined,
        // Don't animate the dragged row: it would sway with every scroll step.
        transition: isDragging ? undefined : transition,
      }}
      aria-setsize={total}
      aria-posinset={position}
    >
      {draw(handle)}
    </li>
  )
}

function announcements(nameOf: (key: string) => string, keys: string[]): Announcements {
  const place = (key: unknown) => `position ${keys.indexOf(String(key)) + 1} of ${keys.length}`
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(String(active.id))}, ${place(active.id)}.`,
    onDragOver({ active, over }) {
      // Skip the first event, at the start position: it would replace the 'Picked up' announcement.
      const { initial, translated } = active.rect.current
      const isAtStart = over?.id === active.id && initial?.top === translated?.top
      if (!over || isAtStart) return undefined
      return `${nameOf(String(active.id))} is at ${place(over.id)}.`
    },
    onDragEnd: ({ active, over }) =>
      `${nameOf(String(active.id))} was dropped at ${place((over ?? active).id)}.`,
    onDragCancel: ({ active }) => `${nameOf(String(active.id))} stays at ${place(active.id)}.`,
  }
}
