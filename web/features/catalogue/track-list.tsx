// A virtual list of tracks that scrolls with the page; only visible rows are rendered. One row is in the tab order;
// arrow keys move between rows and controls. A double click plays a row; on a touch screen a single tap does. A right
// click, a long press or the context menu key opens the track's menu.
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import type { Track } from '#contract/tracks.ts'
import { dragTracks } from './selection/dragged-tracks.ts'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { ScrolledIn } from '../../base/ui/lists/scrolled-in.tsx'
import { useOffsetTop } from '../../base/ui/layout/use-offset-top.ts'
import { useScrollShield } from '../../base/ui/lists/use-scroll-shield.ts'
import { ListSizeContext, useListSize } from './list-size.ts'
import { controlToReturnTo, focusControl, findNeighborControl, findRowIndex } from './row-focus.ts'
import {
  SelectionContext,
  toggleSelected,
  type TrackSelection,
} from './selection/track-selection.ts'
import { selectByClick, selectByKey, type SelectableRows } from './selection/use-selection-input.ts'
import styles from './track-list.module.css'
import { useTrackMenu } from './track-menu.tsx'
import { useRowMenu } from './use-row-menu.ts'

export interface TrackListProps {
  label: string
  /** Number of rows; some of their tracks may not be loaded yet. */
  count: number
  /** Returns the track of a row; undefined while the track is loading. */
  trackAt: (index: number) => Track | undefined
  /** The total number of tracks, if greater than `count`. */
  total?: number
  onPlay: (index: number) => void
  renderRow: (track: Track, index: number, inTabOrder: boolean) => ReactNode
  /** Called with the visible rows, so that the caller can load their tracks. */
  onRange: (firstIndex: number, lastIndex: number) => void
  /** The column names; hidden from screen readers. */
  header?: ReactNode
  /** Enables selecting several rows. */
  selection?: TrackSelection
  /** Removes a track from the list. If absent, the menu has no item for it. */
  onRemove?: (track: Track) => void
}

export const trackRowHeightPx = 64
const overscanRows = 4
/** The height covered by the header and the player bar. */
const scrollPaddingPx = { start: 80, end: 110 }

export function TrackList(props: TrackListProps) {
  const { label, count, trackAt, total, onPlay, renderRow, onRange, header, onRemove, selection } =
    props
  const list = useRef<HTMLUListElement>(null)
  const offsetTopPx = useOffsetTop(list)
  const size = useListSize(list)
  useScrollShield(list)
  const [activeIndex, setActiveIndex] = useState(0)
  const virtualizer = useTrackRows(count, offsetTopPx, activeIndex)
  const rows: SelectableRows = { selection, trackAt }
  const onKeyDown = useRowKeys(list, count, rows, (index) => {
    setActiveIndex(index)
    virtualizer.scrollToIndex(index)
  })

  const clicks = useRowClicks(onPlay, rows)
  const trackMenu = useTrackMenu()
  const rowMenu = useRowMenu((target, anchorIn) => {
    const row = target.closest('[data-row]')
    const index = findRowIndex(target)
    const track = index === undefined ? undefined : trackAt(index)
    if (!row || index === undefined || !track) return false
    // The active row stays rendered, so that the menu keeps its position and can return the focus.
    setActiveIndex(index)
    const opener = controlToReturnTo(row)
    const onChoose = selection && (() => toggleSelected(selection, index, track))
    trackMenu.open({ track, anchor: anchorIn(row), align: 'start', opener, onRemove, onChoose })
    return true
  })

  useReportRange(virtualizer.range, count, onRange)

  return (
    <ListSizeContext value={size}>
      <ListSelection selection={selection}>
        <div ref={keepRowFocus} className={styles.tracks} data-list-size={size}>
          {header && <div className={styles.header}>{header}</div>}
          <ul
            ref={list}
            className={styles.list}
            style={{ height: virtualizer.getTotalSize() }}
            aria-label={label}
            {...rowMenu}
            {...clicks}
            onDragStart={(event) => startDrag(event, rows)}
            onKeyDown={onKeyDown}
            onFocus={(event) => {
              const row = findRowIndex(event.target)
              if (row !== undefined) setActiveIndex(row)
            }}
          >
            {virtualizer.getVirtualItems().map(({ index, start }) => {
              const track = trackAt(index)
              const isActive = index === activeIndex
              return (
                <li
                  key={track?.id ?? index}
                  className={styles.row}
                  data-row={index}
                  style={{ top: start - offsetTopPx }}
                  aria-setsize={total ?? count}
                  aria-posinset={index + 1}
                >
                  <ScrolledIn isScrolling={virtualizer.isScrolling && !isActive}>
                    {track ? renderRow(track, index, isActive) : <TrackRowSkeleton />}
                  </ScrolledIn>
                </li>
              )
            })}
          </ul>
        </div>
      </ListSelection>
    </ListSizeContext>
  )
}

function ListSelection(props: { selection: TrackSelection | undefined; children: ReactNode }) {
  const { selection, children } = props
  return selection ? <SelectionContext value={selection}>{children}</SelectionContext> : children
}

/** Computes the positions of the rows. The active row stays rendered, even when it is scrolled out of view. */
function useTrackRows(count: number, offsetTopPx: number, activeIndex: number) {
  // The list appears with the rows in view. Those around them are rendered afterwards, at low priority.
  const overscan = useDeferredValue(overscanRows, 0)
  return useWindowVirtualizer({
    count,
    estimateSize: () => trackRowHeightPx,
    overscan,
    scrollMargin: offsetTopPx,
    scrollPaddingStart: scrollPaddingPx.start,
    scrollPaddingEnd: scrollPaddingPx.end,
    // Render in React's own task: flushing inside the scroll handler makes one long task.
    useFlushSync: false,
    rangeExtractor(range) {
      const indexes = defaultRangeExtractor(range)
      if (activeIndex >= count || indexes.includes(activeIndex)) return indexes
      return [...indexes, activeIndex].sort((a, b) => a - b)
    },
  })
}

function useReportRange(
  range: { startIndex: number; endIndex: number } | null,
  count: number,
  onRange: TrackListProps['onRange'],
): void {
  const reportRange = useEffectEvent(onRange)
  const [first, last] = [range?.startIndex ?? 0, range?.endIndex ?? -1]
  useEffect(() => {
    if (last >= 0) reportRange(first, last)
  }, [first, last, count])
}

/** Starts to drag a row, or all selected rows if the row is one of them. */
function startDrag(event: DragEvent, { selection, trackAt }: SelectableRows): void {
  const index = findRowIndex(event.target)
  const track = index === undefined ? undefined : trackAt(index)
  // Links in the row keep their own drag behavior.
  if (!track || (event.target as Element).closest('a')) return
  const selected = selection?.getState().selected
  const ids = selected?.has(track.id) ? [...selected.keys()] : [track.id]
  dragTracks(event, ids, ids.length > 1 ? `${ids.length} tracks` : track.title)
}

/** Returns handlers for clicks on a row outside its controls. */
function useRowClicks(onPlay: (index: number) => void, rows: SelectableRows) {
  const pointerType = useRef('mouse')
  const isOnControl = (target: EventTarget) =>
    (target as HTMLElement).closest('button, a, [role="menu"]') !== null
  const playRow = (target: EventTarget) => {
    const row = findRowIndex(target)
    if (row !== undefined && !isOnControl(target)) onPlay(row)
  }
  return {
    onPointerDown(event: PointerEvent) {
      pointerType.current = event.pointerType
      // Rows are draggable only by mouse: on touch screens a long press opens the menu.
      const row = (event.target as Element).closest<HTMLElement>('[data-row]')
      if (row) row.draggable = event.pointerType === 'mouse'
    },
    onMouseDown(event: MouseEvent) {
      // Prevent the browser from selecting the text of the rows in a range.
      if (event.shiftKey && rows.selection) event.preventDefault()
    },
    onClick(event: MouseEvent) {
      if (!isOnControl(event.target) && selectByClick(rows, event, findRowIndex(event.target)))
        return
      if (pointerType.current === 'touch') playRow(event.target)
    },
    onDoubleClick(event: MouseEvent) {
      const isSelecting = rows.selection?.getState().isSelecting ?? false
      if (pointerType.current !== 'touch' && !isSelecting) playRow(event.target)
    },
  }
}

/** Returns a handler for the keys that move the focus. */
function useRowKeys(
  list: { current: HTMLElement | null },
  count: number,
  rows: SelectableRows,
  scrollIntoView: (index: number) => void,
) {
  const wanted = useRef<{ index: number; control: string }>(undefined)

  useLayoutEffect(() => {
    if (!list.current) return
    if (wanted.current && focusControl(list.current, wanted.current)) wanted.current = undefined
  })

  return function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const row = findRowIndex(event.target)
    if (row === undefined || event.altKey) return
    const control = (event.target as HTMLElement).dataset.control
    if (!control) return
    const moveTo = (key: string) => {
      const target = targetRow(key, row, count)
      if (target === undefined) return undefined
      wanted.current = { index: target, control }
      scrollIntoView(target)
      return target
    }
    if (selectByKey(rows, event, row, moveTo) || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      findNeighborControl(event.target as HTMLElement, event.key === 'ArrowRight' ? 1 : -1)?.focus()
    } else if (moveTo(event.key) === undefined) return
    // Outside the list the arrow keys control the player.
    event.preventDefault()
    event.stopPropagation()
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

/** Placeholder of a row whose track is loading. */
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

/** Placeholder of the list, shown until the first response. */
export function TrackListSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <TrackRowSkeleton key={index} />
      ))}
    </div>
  )
}
