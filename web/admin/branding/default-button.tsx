// Button that resets one field to its default.
import styles from './branding.module.css'

export interface DefaultButtonProps {
  /** The label of the field to reset. */
  of: string
  isShown: boolean
  onClick: () => void
}

export function DefaultButton({ of, isShown, onClick }: DefaultButtonProps) {
  if (!isShown) return null
  return (
    <button
      type="button"
      className={styles.default}
      aria-label={`Reset ${of} to default`}
      onClick={onClick}
    >
      Default
    </button>
  )
}
