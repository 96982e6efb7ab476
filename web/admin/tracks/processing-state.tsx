// Shows the progress or error of a track's processing, or that its file is damaged. Otherwise renders nothing.
import { IconAlertTriangle } from '#web/base/ui/icons/icons.ts'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import styles from './processing-state.module.css'

export function ProcessingState({ track }: { track: AdminTrack }) {
  if (track.processing_status === 'ready') {
    if (!track.file_problem) return null
    return (
      <span className={styles.failed}>
        <IconAlertTriangle aria-hidden="true" />
        {track.file_problem === 'missing' ? 'File missing' : 'File damaged'}
      </span>
    )
  }
  if (track.processing_status === 'failed') {
    return (
      <span className={styles.failed}>
        <IconAlertTriangle aria-hidden="true" />
        {track.processing_error ?? 'Processing failed'}
      </span>
    )
  }
  const isWaiting = track.processing_status === 'pending'
  const percent = Math.round(track.processing_progress * 100)
  return (
    <span className={styles.state}>
      <span>{isWaiting ? 'Waiting to be processed' : `Processing, ${percent} %`}</span>
      <ProgressBar
        label={`Processing ${track.title}`}
        value={isWaiting ? undefined : track.processing_progress}
      />
    </span>
  )
}
