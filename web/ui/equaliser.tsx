// Three bars that move while a track plays and rest while it pauses.
import styles from './equaliser.module.css'

export interface EqualiserProps {
  playing: boolean
  /** Read out instead of the picture. Leave out where words beside it say it. */
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
