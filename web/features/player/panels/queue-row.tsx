// One entry of the queue: play, play next, move, remove.
import { IconGripVertical, IconRowInsertTop, IconX } from '#web/base/ui/icons/icons.ts'
import { memo } from 'react'
import { PremiumMark } from '../../catalogue/premium-mark.tsx'
import { ArtistLinks } from '../../catalogue/artist-links.tsx'
import { Cover } from '../../../base/ui/display/cover.tsx'
import { Equalizer } from '../../../base/ui/display/equalizer.tsx'
import { formatClock } from '../../../base/format/format-clock.ts'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { ScrolledIn } from '../../../base/ui/lists/scrolled-in.tsx'
import { VisuallyHidden } from '../../../base/ui/layout/visually-hidden.tsx'
import type { QueueEntry } from '../queue/play-queue.ts'
import {
  moveInQueueNext,
  playEntry,
  removeFromQueue,
  togglePlay,
} from '../playback/player-actions.ts'
import { usePlayer } from '../playback/player-store.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import styles from './queue-row.module.css'

export const queueRowHeightPx = 60

export interface QueueRowProps {
  entry: QueueEntry
  index: number
  total: number
  /** The position of the entry relative to the current one. */
  time: 'past' | 'now' | 'next'
  /** Number of places the row is shifted while another row is moved. */
  shift: number
  isMoved: boolean
  /** Id of the instructions for moving a row by key. */
  instructionsId: string
  /** Whether the list is being scrolled. Read once, when the row mounts. */
  isScrolling: boolean
}

/**
 * Memoized, because the surrounding list renders on every frame of a scroll. The start and the end of a scroll don't
 * rerender mounted rows.
 */
export const QueueRow = memo(function QueueRow(props: QueueRowProps) {
  const { entry, index, total, time, shift, isMoved, instructionsId, isScrolling } = props
  return (
    <li
      className={styles.row}
      data-entry={entry.entry_id}
      data-time={time}
      data-moved={isMoved || undefined}
      style={{
        top: index * queueRowHeightPx,
        transform: shift === 0 ? undefined : `translateY(${shift * queueRowHeightPx}px)`,
      }}
      aria-setsize={total}
      aria-posinset={index + 1}
      aria-current={time === 'now' || undefined}
    >
      <ScrolledIn isScrolling={isScrolling && !isMoved}>
        <RowControls {...{ entry, time, isMoved, instructionsId }} />
      </ScrolledIn>
    </li>
  )
}, isSameRow)

function isSameRow(before: QueueRowProps, now: QueueRowProps): boolean {
  const names = Object.keys(now) as (keyof QueueRowProps)[]
  return names.every((name) => name === 'isScrolling' || before[name] === now[name])
}

type RowControlsProps = Pick<QueueRowProps, 'entry' | 'time' | 'isMoved' | 'instructionsId'>

function RowControls({ entry, time, isMoved, instructionsId }: RowControlsProps) {
  const { entry_id, track } = entry
  return (
    <>
      <PlayEntryButton entry={entry} isCurrent={time === 'now'} />
      <time className={styles.duration}>{formatClock(track.duration)}</time>
      {time !== 'now' && (
        <IconButton
          size="small"
          label={`Play ${track.title} next`}
          onClick={() => moveInQueueNext(entry_id)}
        >
          <IconRowInsertTop />
        </IconButton>
      )}
      <IconButton
        size="small"
        label={`Remove ${track.title}`}
        data-control="remove"
        onClick={() => removeFromQueue(entry_id)}
      >
        <IconX />
      </IconButton>
      <button
        type="button"
        className={styles.handle}
        aria-label={`Move ${track.title}`}
        aria-describedby={instructionsId}
        aria-pressed={isMoved}
        data-handle={entry_id}
        data-tooltip="Drag to reorder"
      >
        <IconGripVertical aria-hidden="true" />
      </button>
    </>
  )
}

function PlayEntryButton({ entry, isCurrent }: { entry: QueueEntry; isCurrent: boolean }) {
  const { track, entry_id } = entry
  const playing = usePlayer((state) => isCurrent && state.playing)
  return (
    <>
      <button
        type="button"
        className={styles.play}
        onClick={() => (isCurrent ? togglePlay() : playEntry(entry_id))}
      >
        <RowCover track={track} isCurrent={isCurrent} playing={playing} />
        <span className={styles.words}>
          <span className={styles.title}>
            <VisuallyHidden>{playing ? 'Pause ' : 'Play '}</VisuallyHidden>
            {track.title}
          </span>
          <span className={styles.artist}>
            <VisuallyHidden>{` by ${track.artist}`}</VisuallyHidden>
            {'\u00a0'}
          </span>
        </span>
      </button>
      {/* Beside the button: a button cannot contain links. */}
      <span className={styles.artists}>
        <PremiumMark of={track} /> <ArtistLinks track={track} />
        {entry.by_radio && <span className={styles.radio}> · Radio</span>}
      </span>
    </>
  )
}

function RowCover({
  track,
  isCurrent,
  playing,
}: {
  track: PlayerTrack
  isCurrent: boolean
  playing: boolean
}) {
  return (
    <span className={styles.cover}>
      <Cover
        url={track.cover_url}
        tint={track.cover_tint}
        placeholder={track.cover_placeholder}
        title={track.title}
        sizes="40px"
      />
      {isCurrent && (
        <span className={styles.equalizer}>
          <Equalizer playing={playing} />
        </span>
      )}
    </span>
  )
}
