// A list of any length in its own scroll box, as in a dialog. Only visible rows are rendered. Screen readers get the
// true length and positions.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import styles from './scroll-list.module.css'

export interface ScrollListProps<Item> {
  label: string
  items: readonly Item[]
  getKey: (item: Item) => string
  renderItem: (item: Item, index: number) => ReactNode
  /** Height of every row in pixels. */
  rowHeightPx: number
  /** The total number of items, if `items` holds only the first part. */
  total?: number
  /** Called when the end of the list approaches. */
  onEndReached?: () => void
}

const overscanRows = 8

export function ScrollList<Item>(props: ScrollListProps<Item>) {
  const { label, items, getKey, renderItem, rowHeightPx, total, onEndReached } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : getKey(item)
    },
    overscan: overscanRows,
  })
  const rows = virtualizer.getVirtualItems()
  const lastIndex = rows.at(-1)?.index ?? -1

  useEffect(() => {
    if (items.length > 0 && lastIndex >= items.length - 1) onEndReached?.()
  }, [lastIndex, items.length, onEndReached])

  return (
    // Focusable, so that it can be scrolled by keyboard even if no row has a control.
    <div ref={scroller} className={styles.scroller} role="region" aria-label={label} tabIndex={0}>
      <ul className={styles.list} style={{ height: virtualizer.getTotalSize() }} aria-label={label}>
        {rows.map((row) => {
          const item = items[row.index]
          if (item === undefined) return null
          return (
            <li
              key={row.key}
              className={styles.row}
              style={{ height: rowHeightPx, transform: `translateY(${row.start}px)` }}
              aria-setsize={total ?? items.length}
              aria-posinset={row.index + 1}
            >
              {renderItem(item, row.index)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
