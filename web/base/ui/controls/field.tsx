// Shared parts of all form fields: label above, hint and error below, both linked to the control.
import { useId, type ReactNode } from 'react'
import styles from './field.module.css'

/** The properties that all fields share. */
export interface FieldLook {
  label: string
  /** Shows the label only to screen readers. For fields whose purpose is clear from the context. */
  hideLabel?: boolean
  hint?: ReactNode
  /** Shown below the field and announced when it appears. */
  error?: string | undefined
}

interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldProps extends FieldLook {
  id?: string | undefined
  /** Content beside the label, such as a 'Forgot password?' link. */
  aside?: ReactNode
  children: (control: ControlProps) => ReactNode
}

export function Field({ id, label, hideLabel, hint, error, aside, children }: FieldProps) {
  const generatedId = useId()
  const controlId = id ?? generatedId
  const hintId = `${controlId}-hint`
  const errorId = `${controlId}-error`
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <div className={hideLabel ? styles.hiddenLabel : styles.top}>
        <label htmlFor={controlId}>{label}</label>
        {aside}
      </div>
      {children({
        id: controlId,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
      <p id={errorId} className={styles.error} role="alert" hidden={!error}>
        {error}
      </p>
    </div>
  )
}
