// A list whose rows can be moved by pointer, touch and keyboard (25 px a step, the kit's default). Rows
// out of sight do not exist, except the one being moved, so thousands of rows stay light.
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
import { IconGripVertical } from '@tabler/icons-react'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import styles from './sortable-list.module.css'
import { TakesTurn } from './takes-turn.tsx'
import { useOffsetTop } from './use-offset-top.ts'

export interface SortableListProps<Item> {
  label: string
  items: readonly Item[]
  /** Declared outside of the component, so that it stays the same function. */
  getKey: (item: Item) => string
  /** What the row is called when it is moved. */
  getName: (item: Item) => string
  /** The row has moved; indexes of `items`. */
  onMove: (fromIndex: number, toIndex: number) => void
  /** Draws the row around its handle. */
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
  const { measureOnce, forget } = useMeasureOnce()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    // At once: a smooth scroll is cut off by the next key, and most of both steps is lost.
    useSensor(KeyboardSensor, { scrollBehavior: 'auto' }),
  )
  // A new list of keys draws every row anew, so it lasts as long as the items do.
  const keys = useMemo(() => items.map(getKey), [items, getKey])
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 6,
    // React's own task after the scroll event; drawn within it, one long task would come of both.
    useFlushSync: false,
    scrollMargin: offsetTopPx,
    rangeExtractor(range) {
      const indexes = defaultRangeExtractor(range)
      if (activeIndex === undefined || indexes.includes(activeIndex)) return indexes
      return [...indexes, activeIndex].sort((a, b) => a - b)
    },
  })

  function letGo() {
    forget()
    setActiveIndex(undefined)
  }

  function dragEnd({ active, over }: DragEndEvent) {
    letGo()
    if (!over || active.id === over.id) return
    onMove(keys.indexOf(String(active.id)), keys.indexOf(String(over.id)))
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      measuring={{ draggable: { measure: measureOnce } }}
      accessibility={{
        announcements: announcements((key) => {
          const item = items[keys.indexOf(key)]
          return item === undefined ? '' : getName(item)
        }, keys),
        screenReaderInstructions: instructions,
      }}
      onDragStart={({ active }) => setActiveIndex(keys.indexOf(String(active.id)))}
      onDragCancel={letGo}
      onDragEnd={dragEnd}
    >
      <SortableContext items={keys} strategy={verticalListSortingStrategy} disabled={disabled}>
        <ul
          ref={list}
          className={styles.list}
          style={{ height: virtualizer.getTotalSize() }}
          aria-label={label}
          onKeyDown={(event) => {
            // Beyond the middle of the window the kit scrolls by the step instead of moving the row, and
            // forgets that the browser scrolls for the same key.
            if (activeIndex !== undefined && event.key.startsWith('Arrow')) event.preventDefault()
          }}
        >
          {virtualizer.getVirtualItems().map((row) => {
            const item = items[row.index]
            if (item === undefined) return null
            return (
              <TakesTurn
                key={row.key}
                atOnce={!virtualizer.isScrolling}
                isWanted={row.index === activeIndex}
                whileWaiting={null}
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
              </TakesTurn>
            )
          })}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

/**
 * The kit measures the row in hand again whenever rows around it come and go, as they do in a window over
 * a long list, and then loses the next scroll. Where the row was when it was picked up is all it needs.
 */
function useMeasureOnce() {
  const rect = useRef<ClientRect>(null)
  return useMemo(
    () => ({
      measureOnce: (row: HTMLElement) =>
        (rect.current ??= getClientRect(row, { ignoreTransform: true })),
      forget: () => {
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
        // The row in hand follows at once, or it sways with every step that scrolls.
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
      // Said once at the start, over itself: it must not drown 'Picked up'.
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
