// A list of tracks of any length that scrolls with the page. Only rows in sight exist. The Tab key
// meets one row; the arrow keys go on from there, row to row and control to control. A double click
// plays a row; on a touch screen one tap does. A right click, a long press or the context menu key opens the track's menu.
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import type { Track } from '#contract/tracks.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { TakesTurn } from '../ui/takes-turn.tsx'
import { useOffsetTop } from '../ui/use-offset-top.ts'
import { useScrollShield } from '../ui/use-scroll-shield.ts'
import { ListSizeContext, useListSize } from './list-size.ts'
import { controlToReturnTo, focusControl, neighbourControl, rowOf } from './row-focus.ts'
import styles from './track-list.module.css'
import { useTrackMenu } from './track-menu.tsx'
import { useRowMenu } from './use-row-menu.ts'

export interface TrackListProps {
  label: string
  /** Rows to draw; some of their tracks may still be on their way. */
  count: number
  /** Undefined while the track is on its way. */
  trackAt: (index: number) => Track | undefined
  /** How many there are in all, when more than `count`. */
  total?: number
  onPlay: (index: number) => void
  renderRow: (track: Track, index: number, inTabOrder: boolean) => ReactNode
  /** Which rows are in sight, for whoever loads them. */
  onRange: (firstIndex: number, lastIndex: number) => void
  /** The names of the columns; seen, not read out. */
  header?: ReactNode
  /** Takes a track out of the list, where its menu offers that. */
  onRemove?: (track: Track) => void
}

export const trackRowHeightPx = 64
const overscanRows = 4
/** What the header and the player bar cover. */
const scrollPaddingPx = { start: 80, end: 110 }

export function TrackList(props: TrackListProps) {
  const { label, count, trackAt, total, onPlay, renderRow, onRange, header, onRemove } = props
  const list = useRef<HTMLUListElement>(null)
  const offsetTopPx = useOffsetTop(list)
  const size = useListSize(list)
  useScrollShield(list)
  const [activeIndex, setActiveIndex] = useState(0)
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => trackRowHeightPx,
    overscan: overscanRows,
    scrollMargin: offsetTopPx,
    scrollPaddingStart: scrollPaddingPx.start,
    scrollPaddingEnd: scrollPaddingPx.end,
    // React's own task after the scroll event; drawn within it, one long task would come of both.
    useFlushSync: false,
    // The row with the focus stays, however far one scrolls.
    rangeExtractor(range) {
      const indexes = defaultRangeExtractor(range)
      if (activeIndex >= count || indexes.includes(activeIndex)) return indexes
      return [...indexes, activeIndex].sort((a, b) => a - b)
    },
  })
  const focus = useRowFocus(list, count, activeIndex, (index) => {
    setActiveIndex(index)
    virtualizer.scrollToIndex(index)
  })

  const clicks = useRowClicks(onPlay)
  const trackMenu = useTrackMenu()
  const rowMenu = useRowMenu((target, anchorIn) => {
    const row = target.closest('[data-row]')
    const index = rowOf(target)
    const track = index === undefined ? undefined : trackAt(index)
    if (!row || index === undefined || !track) return false
    // The active row stays drawn, so that the menu keeps its place and gives the focus back.
    setActiveIndex(index)
    const opener = controlToReturnTo(row)
    trackMenu.open({ track, anchor: anchorIn(row), align: 'start', opener, onRemove })
    return true
  })

  // What a list opens with is there with it, and so is the answer to a search; rows that come later take turns.
  const firstId = trackAt(0)?.id
  const isOpening = firstId !== useDeferredValue<string | undefined>(firstId, '')

  const range = virtualizer.range
  const reportRange = useEffectEvent(onRange)
  const [first, last] = [range?.startIndex ?? 0, range?.endIndex ?? -1]
  useEffect(() => {
    if (last >= 0) reportRange(first, last)
  }, [first, last, count])

  return (
    <ListSizeContext value={size}>
      <div className={styles.tracks} data-list-size={size}>
        {header && (
          <div className={styles.header} aria-hidden="true">
            {header}
          </div>
        )}
        <ul
          ref={list}
          className={styles.list}
          style={{ height: virtualizer.getTotalSize() }}
          aria-label={label}
          {...rowMenu}
          {...clicks}
          onKeyDown={focus.onKeyDown}
          onFocus={(event) => {
            focus.onFocus(event)
            const row = rowOf(event.target)
            if (row !== undefined) setActiveIndex(row)
          }}
          onBlur={focus.onBlur}
        >
          {virtualizer.getVirtualItems().map((row) => {
            const track = trackAt(row.index)
            return (
              <li
                key={track?.id ?? row.index}
                className={styles.row}
                data-row={row.index}
                style={{ top: row.start - offsetTopPx }}
                aria-setsize={total ?? count}
                aria-posinset={row.index + 1}
              >
                <TakesTurn
                  atOnce={isOpening}
                  isWanted={row.index === activeIndex}
                  whileWaiting={null}
                >
                  {track ? (
                    renderRow(track, row.index, row.index === activeIndex)
                  ) : (
                    <TrackRowSkeleton />
                  )}
                </TakesTurn>
              </li>
            )
          })}
        </ul>
      </div>
    </ListSizeContext>
  )
}

/** Clicks beside the controls of a row. */
function useRowClicks(onPlay: (index: number) => void) {
  const pointerType = useRef('mouse')
  const playRow = (target: EventTarget) => {
    const row = rowOf(target)
    const onControl = (target as HTMLElement).closest('button, a, [role="menu"]')
    if (row !== undefined && !onControl) onPlay(row)
  }
  return {
    onPointerDown(event: PointerEvent) {
      pointerType.current = event.pointerType
    },
    onClick(event: MouseEvent) {
      if (pointerType.current === 'touch') playRow(event.target)
    },
    onDoubleClick(event: MouseEvent) {
      if (pointerType.current !== 'touch') playRow(event.target)
    },
  }
}

/** Moves the focus with the keys, and keeps it in the list when the row under it goes away. */
function useRowFocus(
  list: { current: HTMLElement | null },
  count: number,
  activeIndex: number,
  bringIntoSight: (index: number) => void,
) {
  const wanted = useRef<{ index: number; control: string }>(undefined)
  const focused = useRef<string>(undefined)

  useLayoutEffect(() => {
    if (!list.current) return
    if (wanted.current && focusControl(list.current, wanted.current)) wanted.current = undefined
    else if (focused.current && document.activeElement === document.body && count > 0) {
      const index = Math.min(activeIndex, count - 1)
      focusControl(list.current, { index, control: focused.current })
    }
  })

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const row = rowOf(event.target)
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const control = (event.target as HTMLElement).dataset.control
    if (!control) return
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      neighbourControl(event.target as HTMLElement, event.key === 'ArrowRight' ? 1 : -1)?.focus()
    } else {
      const target = targetRow(event.key, row, count)
      if (target === undefined) return
      wanted.current = { index: target, control }
      bringIntoSight(target)
    }
    // Outside of the list the arrows belong to the player.
    event.preventDefault()
    event.stopPropagation()
  }

  return {
    onKeyDown,
    onFocus: (event: FocusEvent<HTMLElement>) => {
      focused.current = event.target.dataset.control
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      // A row that is taken away loses the focus to nothing; a person moves it to something.
      if (event.relatedTarget || event.target.isConnected) focused.current = undefined
    },
  }
}

const pageRows = 10

function targetRow(key: string, row: number, count: number): number | undefined {
  const target = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + pageRows,
    PageUp: row - pageRows,
    Home: 0,
    End: count - 1,
  }[key]
  return target === undefined ? undefined : Math.max(0, Math.min(target, count - 1))
}

/** The shape of a row whose track is on its way. */
export function TrackRowSkeleton() {
  return (
    <span className={styles.skeleton}>
      <Skeleton width="44px" height="44px" />
      <span className={styles.skeletonWords}>
        <Skeleton width="min(14rem, 60%)" shape="text" />
        <Skeleton width="min(9rem, 40%)" shape="text" />
      </span>
      <Skeleton width="2.5rem" shape="text" />
    </span>
  )
}

/** While the first answer is on its way. */
export function TrackListSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <TrackRowSkeleton key={index} />
      ))}
    </div>
  )
}
