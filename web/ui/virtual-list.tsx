// A list of any length that scrolls with the page; only the rows in sight exist. Screen readers hear the
// true length and place of each row.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import styles from './virtual-list.module.css'

export interface VirtualListProps<Item> {
  label: string
  items: readonly Item[]
  getKey: (item: Item) => string
  renderItem: (item: Item, index: number) => ReactNode
  /** Height of every row in pixels. */
  rowHeightPx: number
  /** How many there are in all, when more than `items` holds so far. */
  total?: number
  /** Called when the end comes into sight. */
  onEndReached?: () => void
}

const overscanRows = 8

export function VirtualList<Item>({
  label,
  items,
  getKey,
  renderItem,
  rowHeightPx,
  total,
  onEndReached,
}: VirtualListProps<Item>) {
  const list = useRef<HTMLUListElement>(null)
  const offsetTopPx = useOffsetTop(list)
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : getKey(item)
    },
    overscan: overscanRows,
    scrollMargin: offsetTopPx,
  })
  const rows = virtualizer.getVirtualItems()
  const lastIndex = rows.at(-1)?.index ?? -1

  useEffect(() => {
    if (items.length > 0 && lastIndex >= items.length - 1) onEndReached?.()
  }, [lastIndex, items.length, onEndReached])

  return (
    <ul
      ref={list}
      className={styles.list}
      style={{ height: virtualizer.getTotalSize() }}
      aria-label={label}
    >
      {rows.map((row) => {
        const item = items[row.index]
        if (item === undefined) return null
        return (
          <li
            key={row.key}
            className={styles.row}
            style={{ height: rowHeightPx, transform: `translateY(${row.start - offsetTopPx}px)` }}
            aria-setsize={total ?? items.length}
            aria-posinset={row.index + 1}
          >
            {renderItem(item, row.index)}
          </li>
        )
      })}
    </ul>
  )
}

/** Distance from the top of the document; follows what grows or shrinks above the list. */
export function useOffsetTop(element: { current: HTMLElement | null }): number {
  const [offsetTopPx, setOffsetTopPx] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const top = element.current?.getBoundingClientRect().top
      if (top !== undefined) setOffsetTopPx(Math.round(top + scrollY))
    }
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return offsetTopPx
}
