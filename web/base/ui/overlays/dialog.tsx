// A modal dialog with a question or a form.
import { IconX } from '../icons/icons.ts'
import { useId, type ReactNode } from 'react'
import styles from './dialog.module.css'
import { ClosingContext, useClosing } from './close-guard.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Toasts } from './toasts.tsx'
import { useModal } from './use-modal.ts'

export interface DialogProps {
  open: boolean
  /**
   * Called on Escape, a click on the backdrop, and the close button. If absent, only the dialog's content can close it.
   */
  onClose?: () => void
  title: string
  description?: ReactNode
  /** `alertdialog` is for a question that needs an explicit choice. */
  role?: 'alertdialog' | undefined
  /** The maximum width: 420, 500 or 720 px. */
  size?: 'small' | 'medium' | 'large'
  /** The buttons, with the main one last. A submit button outside its form refers to the form with `form`. */
  footer?: ReactNode
  children?: ReactNode
}

/** The control with `data-autofocus` gets the focus. If there is none, the browser focuses the first control. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  role,
  size = 'medium',
  footer,
  children,
}: DialogProps) {
  const closing = useClosing(onClose)
  const { present, props } = useModal(open, closing.requestClose)
  const titleId = useId()
  const descriptionId = useId()
  return (
    <dialog
      {...props}
      role={role}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={titleId}
      aria-describedby={description ? descriptionId : undefined}
    >
      {present && (
        <ClosingContext value={closing}>
          <div className={styles.frame}>
            <div className={styles.header}>
              <div>
                <h2 id={titleId} className={styles.title}>
                  {title}
                </h2>
                {description && (
                  <p id={descriptionId} className={styles.description}>
                    {description}
                  </p>
                )}
              </div>
              {onClose && (
                <IconButton label="Close" onClick={closing.requestClose}>
                  <IconX />
                </IconButton>
              )}
            </div>
            {children && <div className={styles.body}>{children}</div>}
            {footer && <div className={styles.footer}>{footer}</div>}
            <Toasts active={open} />
          </div>
        </ClosingContext>
      )}
    </dialog>
  )
}
