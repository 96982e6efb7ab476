// One track in a list: cover with play button, title and artist, facets, duration, actions.
import {
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
} from '#web/base/ui/icons/icons.ts'
import { memo, type ReactNode } from 'react'
import type { Track } from '#contract/tracks.ts'
import { togglePlay } from '../player/playback/player-actions.ts'
import { useShowsEqualizer, useIsCurrent, useIsPlaying } from '../player/playback/player-store.ts'
import { warmUpTrack } from '../player/engine/warm-up.ts'
import { Cover } from '../../base/ui/display/cover.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { Equalizer } from '../../base/ui/display/equalizer.tsx'
import { ArtistLinks } from './artist-links.tsx'
import { AiBadge } from './ai-badge.tsx'
import { PremiumMark } from './premium-mark.tsx'
import {
  toggleSelected,
  useIsSelecting,
  useIsSelected,
  useSelection,
} from './selection/track-selection.ts'
import type { TrackSort } from './queries/track-queries.ts'
import { nextSort, sortedColumns } from './queries/track-sort.ts'
import { formatDuration } from '../../base/format/format-duration.ts'
import styles from './track-row.module.css'

export interface TrackRowProps {
  track: Track
  index: number
  /** Whether this row's controls are in the tab order. */
  inTabOrder: boolean
  /** Position of the track, in numbered lists. */
  number?: number
  /** Shows the number instead of the cover, as on a release, whose tracks share one cover. */
  withoutCover?: boolean
  /**
   * Short facts about the track, such as genre and category. A wide list shows them in columns. A narrow list shows the
   * first two in the artist's line. Only a very wide list has a column for a third.
   */
  facets: readonly (string | null)[]
  onPlay: (index: number) => void
  /** Buttons at the end of the row, each with a `data-control` name. */
  actions?: ReactNode
}

export const TrackRow = memo(function TrackRow(props: TrackRowProps) {
  const { track, index, inTabOrder, number, withoutCover, facets, onPlay, actions } = props
  const isCurrent = useIsCurrent(track.id)
  const isSelected = useIsSelected(track.id)
  return (
    <div
      className={styles.row}
      // Don't prefetch on pointerenter: rows that scroll by under a resting pointer must not prefetch.
      onPointerMove={({ movementX, movementY }) => {
        if (movementX !== 0 || movementY !== 0) warmUpTrack(track)
      }}
      data-current={isCurrent || undefined}
      data-chosen={isSelected || undefined}
      data-numbered={(number !== undefined && !withoutCover) || undefined}
      data-facets={facets.length}
    >
      {number !== undefined && !withoutCover && (
        <span className={styles.number} data-numeric>
          {number}
        </span>
      )}
      <span className={styles.cover} data-place={withoutCover || undefined}>
        {withoutCover ? (
          <span className={styles.place} data-numeric>
            {number}
          </span>
        ) : (
          <Cover
            url={track.cover_url}
            tint={track.cover_tint}
            placeholder={track.cover_placeholder}
            title={track.title}
            sizes="44px"
          />
        )}
        <RowButton {...{ track, index, isCurrent, isSelected, inTabOrder, onPlay }} />
      </span>
      <span className={styles.words}>
        <span className={styles.titleLine}>
          <span className={styles.title}>{track.title}</span>
          {track.explicit && (
            <span className={styles.explicit} role="img" aria-label="Explicit">
              E
            </span>
          )}
          <AiBadge track={track} />
        </span>
        <span className={styles.artistLine}>
          <PremiumMark of={track} />
          <span>
            <ArtistLinks track={track} inTabOrder={inTabOrder} />
          </span>
          <span className={styles.narrowFacets}>
            {[...new Set(facets.slice(0, 2))].filter(Boolean).map((facet) => (
              <span key={facet}> · {facet}</span>
            ))}
          </span>
        </span>
      </span>
      {facets.map((facet, place) => (
        <span key={place} className={styles.facet} data-third={place === 2 || undefined}>
          {facet}
        </span>
      ))}
      <time className={styles.duration} dateTime={`PT${track.duration}S`}>
        {formatDuration(track.duration)}
      </time>
      <span className={styles.actions}>{actions}</span>
    </div>
  )
})

interface RowButtonProps extends Pick<TrackRowProps, 'track' | 'index' | 'inTabOrder' | 'onPlay'> {
  isCurrent: boolean
  isSelected: boolean
}

/** The play button, or a checkbox in selection mode. Both are one element, so that it keeps the focus. */
function RowButton(props: RowButtonProps) {
  const { track, index, isCurrent, isSelected, inTabOrder, onPlay } = props
  const selection = useSelection()
  const isSelecting = useIsSelecting()
  const isPlaying = useIsPlaying(track.id)
  const hasEqualiser = useShowsEqualizer(track.id)
  const action = isSelecting ? 'Select' : isPlaying ? 'Pause' : 'Play'
  const play = () => (isCurrent ? togglePlay() : onPlay(index))
  return (
    <button
      type="button"
      className={isSelecting ? styles.choose : styles.play}
      data-control="play"
      data-current={isCurrent || undefined}
      aria-label={`${action} ${track.title} by ${track.artist}`}
      tabIndex={inTabOrder ? 0 : -1}
      onClick={isSelecting ? () => toggleSelected(selection, index, track) : play}
      {...(isSelecting && { role: 'checkbox', 'aria-checked': isSelected })}
    >
      {isSelecting ? (
        <span className={styles.box} aria-hidden="true">
          {isSelected && <IconCheck />}
        </span>
      ) : (
        <PlayMark {...{ hasEqualiser, isPlaying }} />
      )}
    </button>
  )
}

function PlayMark({ hasEqualiser, isPlaying }: { hasEqualiser: boolean; isPlaying: boolean }) {
  return (
    <>
      {hasEqualiser && (
        <span className={styles.equalizer}>
          <Equalizer playing={isPlaying} />
        </span>
      )}
      <span className={styles.playIcon} aria-hidden="true">
        {isPlaying ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
      </span>
    </>
  )
}

export interface TrackRowHeaderProps {
  facets: readonly string[]
  numbered?: boolean | 'instead of covers'
  sort?: TrackSort
  /** Makes the columns sort the list. */
  onSort?: (sort: TrackSort) => void
}

/** The column headings for rows with these facets. Hidden from screen readers unless they sort the list. */
export function TrackRowHeader({ facets, numbered, sort = null, onSort }: TrackRowHeaderProps) {
  const heading = (name: string) =>
    onSort && name in sortedColumns ? <SortButton {...{ name, sort, onSort }} /> : name
  return (
    <div
      className={styles.header}
      data-numbered={numbered === true || undefined}
      data-facets={facets.length}
      aria-hidden={onSort ? undefined : true}
      {...(onSort && { role: 'group', 'aria-label': 'Sort by' })}
    >
      {numbered && (
        <span className={numbered === true ? styles.number : styles.headerPlace} aria-hidden="true">
          #
        </span>
      )}
      <span className={numbered === 'instead of covers' ? undefined : styles.headerTitle}>
        {heading('Title')}
        {onSort && heading('Artist')}
      </span>
      {facets.map((facet, place) => (
        <span key={place} className={styles.facet} data-third={place === 2 || undefined}>
          {heading(facet)}
        </span>
      ))}
      <span className={styles.duration}>{heading('Duration')}</span>
      <span className={styles.actions} />
    </div>
  )
}

interface SortButtonProps {
  name: string
  sort: TrackSort
  onSort: (sort: TrackSort) => void
}

function SortButton({ name, sort, onSort }: SortButtonProps) {
  const column = sortedColumns[name]
  if (!column) return name
  const direction = sort?.order === column.order ? sort.direction : null
  const Arrow = direction === 'desc' ? IconChevronDown : IconChevronUp
  return (
    <button
      type="button"
      className={styles.sort}
      aria-pressed={direction !== null}
      onClick={() => onSort(nextSort(sort, column))}
    >
      {name}
      {direction && <Arrow aria-hidden="true" />}
      <VisuallyHidden>
        {direction === 'asc' && ', ascending'}
        {direction === 'desc' && ', descending'}
      </VisuallyHidden>
    </button>
  )
}
