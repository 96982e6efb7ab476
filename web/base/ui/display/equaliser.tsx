// Three bars that move while a track plays and rest while it is paused.
import styles from './equaliser.module.css'

export interface EqualiserProps {
  playing: boolean
  /** Accessible name. Leave out where adjacent text says the same. */
  label?: string
}

export function Equaliser({ playing, label }: EqualiserProps) {
  return (
    <span
      className={styles.equaliser}
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
