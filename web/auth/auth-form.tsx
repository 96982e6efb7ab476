// The frame that the forms of this screen share.
import type { FormEvent, ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import styles from './auth-form.module.css'

export interface AuthFormProps {
  title: string
  text: string
  submitLabel: string
  busy: boolean
  onSubmit: () => void
  /** The fields. */
  children: ReactNode
  /** Below the button: the way to the other form. */
  footer?: ReactNode
}

export function AuthForm({
  title,
  text,
  submitLabel,
  busy,
  onSubmit,
  children,
  footer,
}: AuthFormProps) {
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!busy) onSubmit()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.text}>{text}</p>
      </div>
      {children}
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {submitLabel}
      </Button>
      {footer && <p className={styles.footer}>{footer}</p>}
    </form>
  )
}
