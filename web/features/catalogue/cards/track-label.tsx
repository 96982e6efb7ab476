// Cover, title and artist of a track, for compact rows.
import type { Track } from '#contract/tracks.ts'
import { Cover } from '../../../base/ui/display/cover.tsx'
import styles from './track-label.module.css'

export interface TrackLabelProps {
  track: Pick<Track, 'title' | 'artist' | 'cover_url' | 'cover_tint' | 'cover_placeholder'>
  size: 'small' | 'medium'
}

const coverSizes = { small: '36px', medium: '44px' }

export function TrackLabel({ track, size }: TrackLabelProps) {
  return (
    <>
      <span className={styles.cover} data-size={size}>
        <Cover
          url={track.cover_url}
          tint={track.cover_tint}
          placeholder={track.cover_placeholder}
          title={track.title}
          sizes={coverSizes[size]}
        />
      </span>
      <span className={styles.words} data-size={size}>
        <span className={styles.title}>{track.title}</span>
        <span className={styles.artist}>{track.artist}</span>
      </span>
    </>
  )
}
