// The remaining time of a spot, and when it can be skipped.
import { formatClock } from '../../../base/format/format-clock.ts'
import { ProgressBar } from '../../../base/ui/display/progress-bar.tsx'
import { isSpotLocked, usePlayer } from '../playback/player-store.ts'
import styles from './spots.module.css'

export function SpotProgress() {
  const seconds = usePlayer(({ positionSeconds }) => Math.floor(positionSeconds))
  const duration = usePlayer((state) => state.durationSeconds)
  return (
    <div className={styles.progress}>
      <ProgressBar label="Message" value={duration > 0 ? Math.min(seconds / duration, 1) : 0} />
      <span className={styles.rest}>
        <SkipText /> {formatClock(Math.max(0, duration - seconds))}
      </span>
    </div>
  )
}

function SkipText() {
  const text = usePlayer((state) => {
    const after = state.spot?.spot.skip_after_seconds ?? null
    if (!isSpotLocked(state)) return 'Press Next to skip.'
    if (after === null) return 'Music continues in'
    return `You can skip in ${Math.ceil(after - state.positionSeconds)} s.`
  })
  return <span>{text}</span>
}
