// A small spinner for busy controls. Screens use skeletons instead.
import styles from './spinner.module.css'

export function Spinner() {
  return (
    <svg className={styles.spinner} viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="7.5" />
    </svg>
  )
}
