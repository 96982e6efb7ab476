// The rows of the grid; only visible ones are rendered. The Up and Down keys move to the same field of the next row. A
// click with Shift selects a range.
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  useCallback,
  useEffect,
  useRef,
  useSyncExternalStore,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import type { ImportedTrack } from '#contract/admin/track-imports.ts'
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { breakpoints } from '../../base/ui/theme/breakpoints.ts'
import { PlayCover } from '../listen/play-track.tsx'
import { useCategoryOptions } from '../track-data/track-queries.ts'
import { findRowProblems, getRowValues, type Draft, type TrackValues } from './batch-draft.ts'
import styles from './batch-grid.module.css'

export interface BatchGridProps {
  tracks: readonly ImportedTrack[]
  draft: Draft
  chosen: ReadonlySet<string>
  onChoose: (ids: ReadonlySet<string>) => void
  onChange: (track: ImportedTrack, changes: Partial<TrackValues>) => void
}

type Column = 'title' | 'artist' | 'choose'

const narrowRowPx = 136
const wideRowPx = 64
const narrow = breakpoints['--below-desktop']

export function BatchGrid({ tracks, draft, chosen, onChoose, onChange }: BatchGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeightPx = useMatches(narrow) ? narrowRowPx : wideRowPx
  const categories = useCategoryOptions()
  const getCategoryName = (slug: string) =>
    categories.data?.find(({ value }) => value === slug)?.label ?? slug
  const lastChosen = useRef(0)
  const virtualizer = useVirtualizer({
    count: tracks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => tracks[index]?.id ?? index,
    overscan: 8,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeightPx])

  function choose(index: number, isChosen: boolean, withShift: boolean) {
    const [from, to] = [lastChosen.current, index].toSorted((a, b) => a - b) as [number, number]
    const next = new Set(chosen)
    for (const { id } of tracks.slice(withShift ? from : index, (withShift ? to : index) + 1)) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    lastChosen.current = index
    onChoose(next)
  }
  function move(index: number, column: Column, step: number) {
    const target = Math.min(tracks.length - 1, Math.max(0, index + step))
    virtualizer.scrollToIndex(target)
    // Wait for the next frame, because the target row may not be rendered yet.
    requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-row="${target}"] [data-column="${column}"]`)
        ?.focus(),
    )
  }

  return (
    <div
      className={styles.frame}
      role="table"
      aria-label="Tracks"
      aria-rowcount={tracks.length + 1}
    >
      <GridHead {...{ tracks, chosen, onChoose }} />
      <div ref={scroller} className={styles.scroller} role="presentation">
        <div className={styles.rows} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const track = tracks[index]
            if (!track) return null
            return (
              <div
                key={key}
                className={styles.place}
                role="presentation"
                style={{ height: rowHeightPx, transform: `translateY(${start}px)` }}
              >
                <GridRow
                  track={track}
                  tracks={tracks}
                  index={index}
                  values={getRowValues(track, draft)}
                  isChanged={draft.has(track.id)}
                  isChosen={chosen.has(track.id)}
                  categoryNames={getRowValues(track, draft)
                    .categories.map(getCategoryName)
                    .join(' · ')}
                  onChoose={choose}
                  onMove={move}
                  onChange={onChange}
                />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Selects or deselects all given tracks. Tracks that the filter hides stay as they are. */
function withAll(
  chosen: ReadonlySet<string>,
  tracks: readonly ImportedTrack[],
  isChosen: boolean,
): Set<string> {
  const next = new Set(chosen)
  for (const { id } of tracks) {
    if (isChosen) next.add(id)
    else next.delete(id)
  }
  return next
}

function GridHead({
  tracks,
  chosen,
  onChoose,
}: Pick<BatchGridProps, 'tracks' | 'chosen' | 'onChoose'>) {
  const chosenCount = tracks.filter(({ id }) => chosen.has(id)).length
  return (
    <div role="rowgroup">
      <div className={`${styles.row} ${styles.head}`} role="row" aria-rowindex={1}>
        <span role="columnheader">
          <Checkbox
            label="Select all tracks"
            hideLabel
            checked={tracks.length > 0 && chosenCount === tracks.length}
            indeterminate={chosenCount > 0 && chosenCount < tracks.length}
            onChange={({ target }) => onChoose(withAll(chosen, tracks, target.checked))}
          />
        </span>
        <span role="columnheader">
          <VisuallyHidden>Cover</VisuallyHidden>
        </span>
        {['Title', 'Artist', 'Details', 'State'].map((label) => (
          <span key={label} role="columnheader">
            {label}
          </span>
        ))}
      </div>
    </div>
  )
}

interface GridRowProps {
  track: ImportedTrack
  tracks: readonly ImportedTrack[]
  index: number
  values: TrackValues
  isChanged: boolean
  isChosen: boolean
  /** One string instead of an array: a new array with the same names would render the row again. */
  categoryNames: string
  onChoose: (index: number, isChosen: boolean, withShift: boolean) => void
  onMove: (index: number, column: Column, step: number) => void
  onChange: (track: ImportedTrack, changes: Partial<TrackValues>) => void
}

const GridRow = memo(function GridRow(props: GridRowProps) {
  const {
    track,
    tracks,
    index,
    values,
    isChanged,
    isChosen,
    categoryNames,
    onChoose,
    onMove,
    onChange,
  } = props
  const problems = findRowProblems(values)
  const shift = useRef(false)
  const details = [categoryNames, values.genre, ...values.moods, ...values.tags].filter(Boolean)

  function keyDown(event: KeyboardEvent<HTMLElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 }[event.key]
    const column = (event.target as HTMLElement).dataset['column'] as Column | undefined
    if (step === undefined || !column || event.nativeEvent.isComposing) return
    event.preventDefault()
    onMove(index, column, step)
  }
  const field = (name: 'title' | 'artist') => (
    <NameInput
      {...{ track, name, onChange }}
      value={values[name]}
      isInvalid={Boolean(problems[name])}
    />
  )
  return (
    <div
      className={styles.row}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      data-row={index}
      data-changed={isChanged || undefined}
      onKeyDown={keyDown}
    >
      <span role="cell">
        <Checkbox
          label={`Select ${track.title}`}
          hideLabel
          data-column="choose"
          checked={isChosen}
          onClick={(event: MouseEvent) => {
            shift.current = event.shiftKey
          }}
          onChange={({ target }) => onChoose(index, target.checked, shift.current)}
        />
      </span>
      <span role="cell" className={styles.cover}>
        <PlayCover track={track} list={tracks} source="Bulk upload" sizes="40px" />
      </span>
      <span role="cell" className={styles.title}>
        {field('title')}
      </span>
      <span role="cell" className={styles.artist}>
        {field('artist')}
      </span>
      <span role="cell" className={styles.details}>
        <span className={styles.line}>{details.join(' · ') || 'No category or genre'}</span>
        <span className={styles.line}>
          {aiDisclosureLabels[values.ai_disclosure]}
          {values.explicit && ' · Explicit'}
        </span>
      </span>
      <span role="cell" className={styles.state}>
        <StateBadge track={track} values={values} />
      </span>
    </div>
  )
})

interface NameInputProps {
  track: ImportedTrack
  name: 'title' | 'artist'
  value: string
  isInvalid: boolean
  onChange: GridRowProps['onChange']
}

function NameInput({ track, name, value, isInvalid, onChange }: NameInputProps) {
  return (
    <input
      className={styles.input}
      data-column={name}
      aria-label={`${name === 'title' ? 'Title' : 'Artist'} of ${track.title}`}
      aria-invalid={isInvalid || undefined}
      value={value}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange(track, { [name]: target.value })}
    />
  )
}

function StateBadge({ track, values }: { track: ImportedTrack; values: TrackValues }) {
  if (track.processing_status === 'failed') return <Badge tone="danger">Failed</Badge>
  if (values.release_at) return <Badge tone="info">Scheduled</Badge>
  if (values.is_published) {
    return track.processing_status === 'ready' ? (
      <Badge tone="success">Published</Badge>
    ) : (
      <Badge tone="info">Published when ready</Badge>
    )
  }
  return <Badge>{track.processing_status === 'ready' ? 'Draft' : 'Processing'}</Badge>
}

/** Returns whether the window matches a media query. Renders again when that changes. */
function useMatches(query: string): boolean {
  const follow = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(follow, () => matchMedia(query).matches)
}
