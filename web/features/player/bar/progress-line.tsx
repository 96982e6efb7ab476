// The progress of the track as a thin line. Display only: the slider is elsewhere.
import type { CSSProperties } from 'react'
import { usePlayer } from '../playback/player-store.ts'
import styles from './progress-line.module.css'

export function ProgressLine() {
  const played = usePlayer(({ positionSeconds, durationSeconds }) =>
    durationSeconds > 0 ? Math.min(positionSeconds / durationSeconds, 1) : 0,
  )
  return (
    <span
      className={styles.line}
      style={{ '--played': played.toFixed(4) } as CSSProperties}
      aria-hidden="true"
    />
  )
}
