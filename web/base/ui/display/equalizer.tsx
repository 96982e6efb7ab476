// Three bars that move while a track plays and rest while it is paused.
import styles from './equalizer.module.css'

export interface EqualizerProps {
  playing: boolean
  /** Accessible name. Omit it if adjacent text already states it. */
  label?: string
}

export function Equalizer({ playing, label }: EqualizerProps) {
  return (
    <span
      className={styles.equalizer}
      data-playing={playing || undefined}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <span />
      <span />
      <span />
    </span>
  )
}
