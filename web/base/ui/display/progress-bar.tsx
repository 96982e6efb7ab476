// The progress of long work: an upload, the processing of a track, an export.
import styles from './progress-bar.module.css'

export interface ProgressBarProps {
  label: string
  /** From 0 to 1. Undefined while the progress is unknown. */
  value?: number
  tone?: 'accent' | 'success' | 'danger'
}

export function ProgressBar({ label, value, tone = 'accent' }: ProgressBarProps) {
  const percent =
    value === undefined ? undefined : Math.round(Math.min(Math.max(value, 0), 1) * 100)
  return (
    <div
      className={`${styles.bar} ${styles[tone]}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      data-waiting={percent === undefined || undefined}
    >
      <span style={{ scale: `${(percent ?? 30) / 100} 1` }} />
    </div>
  )
}
