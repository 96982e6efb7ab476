// A track row with one button, for selecting.
import type { ReactNode } from 'react'
import type { Track } from '#contract/tracks.ts'
import { formatDuration } from '../../base/format/format-duration.ts'
import { Cover } from '../../base/ui/display/cover.tsx'
import styles from './pick-track-row.module.css'

export interface PickTrackRowProps {
  track: Pick<
    Track,
    'title' | 'artist' | 'duration' | 'cover_url' | 'cover_tint' | 'cover_placeholder'
  >
  /** Before the cover: a drag handle. */
  lead?: ReactNode
  /** At the end. */
  children: ReactNode
}

export function PickTrackRow({ track, lead, children }: PickTrackRowProps) {
  return (
    <div className={styles.row}>
      {lead}
      <span className={styles.cover}>
        <Cover
          url={track.cover_url}
          tint={track.cover_tint}
          placeholder={track.cover_placeholder}
          title={track.title}
          sizes="44px"
        />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{track.title}</span>
        <span className={styles.artist}>{track.artist}</span>
      </span>
      <time className={styles.duration} dateTime={`PT${track.duration}S`}>
        {formatDuration(track.duration)}
      </time>
      {children}
    </div>
  )
}
