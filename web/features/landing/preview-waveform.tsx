// The waveform of a preview, which shows the progress and seeks. A native range input below it makes keys and screen
// readers work as usual. The bars depend on the width, which the server does not know.
import { formatClock } from '../../base/format/format-clock.ts'
import type { StagePlayer } from './preview-player.ts'
import styles from './preview-waveform.module.css'

export interface PreviewWaveformProps {
  lengthSeconds: number
  noun: StagePlayer['noun']
  disabled: boolean
}

export function PreviewWaveform({ lengthSeconds, noun, disabled }: PreviewWaveformProps) {
  return (
    <div className={styles.waveform} data-waveform>
      <svg preserveAspectRatio="none" aria-hidden="true">
        <path />
      </svg>
      <svg preserveAspectRatio="none" aria-hidden="true" className={styles.played}>
        <path />
      </svg>
      <input
        className={styles.seek}
        type="range"
        aria-label={`Seek in the ${noun}`}
        aria-valuetext={`${formatClock(0)} of ${formatClock(lengthSeconds)}`}
        min={0}
        max={lengthSeconds}
        step={1}
        defaultValue={0}
        disabled={disabled}
        data-seek
      />
    </div>
  )
}
