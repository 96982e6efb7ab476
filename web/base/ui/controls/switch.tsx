// An on/off switch that takes effect immediately.
import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './switch.module.css'

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'className' | 'type' | 'role'> {
  label: string
  /** Shows the label only to screen readers, as in a table with a column heading. */
  hideLabel?: boolean
  hint?: ReactNode
}

export function Switch({ label, hideLabel, hint, ...input }: SwitchProps) {
  const hintId = useId()
  return (
    <label className={styles.row} data-bare={hideLabel || undefined}>
      <span className={styles.words}>
        <span className={hideLabel ? styles.hidden : styles.label}>{label}</span>
        {hint && (
          <span id={hintId} className={styles.hint}>
            {hint}
          </span>
        )}
      </span>
      <input
        {...input}
        className={styles.switch}
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-describedby={hint ? hintId : undefined}
      />
    </label>
  )
}
