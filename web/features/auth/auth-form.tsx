// The layout that the forms of the sign-in screen share.
import { useEffect, useRef, type FormEvent, type ReactNode, type Ref } from 'react'
import { Button } from '../../base/ui/controls/button.tsx'
import { isFocusLost } from '../../base/ui/layout/focus.ts'
import styles from './auth-form.module.css'
import layout from '../../base/ui/layout/layout.module.css'

export interface AuthFormProps {
  ref?: Ref<HTMLFormElement>
  /** Heading of the form. Absent in a dialog, which has its own title. */
  title?: string
  text?: string
  submitLabel: string
  busy: boolean
  onSubmit: () => void
  children: ReactNode
  /** Content below the button, such as the link to another form. */
  footer?: ReactNode
}

export function AuthForm({
  ref,
  title,
  text,
  submitLabel,
  busy,
  onSubmit,
  children,
  footer,
}: AuthFormProps) {
  const heading = useRef<HTMLHeadingElement>(null)

  // Focus the heading: the button that had the focus is no longer mounted.
  useEffect(() => {
    if (isFocusLost()) heading.current?.focus()
  }, [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!busy) onSubmit()
  }
  return (
    <form ref={ref} className={layout.stack5} onSubmit={submit} noValidate>
      {(title || text) && (
        <div>
          {title && (
            <h1 ref={heading} className={styles.title} tabIndex={-1}>
              {title}
            </h1>
          )}
          {text && <p className={styles.text}>{text}</p>}
        </div>
      )}
      {children}
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {submitLabel}
      </Button>
      {footer && <p className={styles.footer}>{footer}</p>}
    </form>
  )
}
