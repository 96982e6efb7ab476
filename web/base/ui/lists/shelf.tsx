// A row of items that scrolls sideways: by swipe, wheel, its two buttons, or the arrow keys, which move the focus from
// item to item.
import { IconChevronLeft, IconChevronRight } from '../icons/icons.ts'
import {
  useEffect,
  useId,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import styles from './shelf.module.css'

export interface ShelfProps extends Pick<ShelfRowProps, 'size' | 'list' | 'children'> {
  title: string
}

export function Shelf({ title, ...row }: ShelfProps) {
  const id = useId()
  const { setRow, buttons } = useShelfScroll(title)
  return (
    <section className={styles.shelf} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id} className={styles.heading}>
          {title}
        </h2>
        {buttons}
      </header>
      <ShelfRow {...row} setRow={setRow} />
    </section>
  )
}

export interface ShelfRowProps {
  /** Ref callback from `useShelfScroll`. */
  setRow: (row: HTMLUListElement | null) => void
  /** Width of an item. `quarter` fits a whole number of items, on phones in two rows. */
  size: 'quarter' | 'tile' | 'mood'
  /** Additional props of the list element. */
  list?: Omit<ComponentProps<'ul'>, 'className' | 'children' | 'onKeyDown' | 'ref'>
  /** Items, each in an `li`. */
  children: ReactNode
}

/** The items of a shelf without a heading, for a shelf whose heading is elsewhere. */
export function ShelfRow({ setRow, size, list, children }: ShelfRowProps) {
  return (
    <ul {...list} ref={setRow} className={`${styles.row} ${styles[size]}`} onKeyDown={moveFocus}>
      {children}
    </ul>
  )
}

/** Returns two buttons that scroll a shelf, and `setRow`, the ref callback for the element to scroll. */
export function useShelfScroll(title: string) {
  const [row, setRow] = useState<HTMLUListElement | null>(null)
  const ends = useEnds(row)
  // Keep the buttons out of the tab order: the keyboard scrolls the row by moving the focus.
  const buttons = (
    <span className={styles.buttons} hidden={ends.start && ends.end}>
      <IconButton
        label={`${title}: back`}
        size="small"
        tabIndex={-1}
        disabled={ends.start}
        onClick={() => scrollByWidth(row, -1)}
      >
        <IconChevronLeft />
      </IconButton>
      <IconButton
        label={`${title}: more`}
        size="small"
        tabIndex={-1}
        disabled={ends.end}
        onClick={() => scrollByWidth(row, 1)}
      >
        <IconChevronRight />
      </IconButton>
    </span>
  )
  return { setRow, buttons }
}

function scrollByWidth(row: HTMLElement | null, direction: 1 | -1): void {
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
  row?.scrollBy({
    left: direction * row.clientWidth * 0.85,
    behavior: prefersReducedMotion ? 'auto' : 'smooth',
  })
}

/** Returns whether the row is scrolled to its start, and whether to its end. */
function useEnds(element: HTMLElement | null) {
  const [ends, setEnds] = useState({ start: true, end: true })
  useEffect(() => {
    if (!element) return
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const now = { start: scrollLeft <= 4, end: scrollLeft + clientWidth >= scrollWidth - 4 }
      setEnds((known) => (known.start === now.start && known.end === now.end ? known : now))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [element])
  return ends
}

/** Moves the focus between items and stops the event: outside the shelf the arrow keys control the player. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const items = [...event.currentTarget.children]
  const at = items.findIndex((item) => item.contains(event.target as Node))
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  const control = items[to]?.querySelector<HTMLElement>('a, button')
  control?.focus({ preventScroll: true })
  items[to]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
