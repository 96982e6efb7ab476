// A track row with one button, for lists in which the user picks tracks.
import type { ReactNode } from 'react'
import type { Track } from '#contract/tracks.ts'
import { formatDuration } from '../../../base/format/format-duration.ts'
import { TrackLabel, type TrackLabelProps } from './track-label.tsx'
import styles from './pick-track-row.module.css'

export interface PickTrackRowProps {
  track: TrackLabelProps['track'] & Pick<Track, 'duration'>
  /** Content before the cover, such as a drag handle. */
  lead?: ReactNode
  /** Content at the end of the row. */
  children: ReactNode
}

export function PickTrackRow({ track, lead, children }: PickTrackRowProps) {
  return (
    <div className={styles.row}>
      {lead}
      <TrackLabel track={track} size="medium" />
      <time className={styles.duration} dateTime={`PT${track.duration}S`}>
        {formatDuration(track.duration)}
      </time>
      {children}
    </div>
  )
}
