// A question or a form in front of everything else.
import { IconX } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'
import { Toasts } from './toasts.tsx'
import { useModal } from './use-modal.ts'

export interface DialogProps {
  open: boolean
  /** Escape, the backdrop and the close button wish for it. */
  onClose: () => void
  title: string
  description?: ReactNode
  /** At most 420, 500 or 720 px wide. */
  size?: 'small' | 'medium' | 'large'
  /** Buttons; the main one last. A submit button outside of its form names it with `form`. */
  footer?: ReactNode
  children?: ReactNode
}

/** Mark the control that takes the focus with `data-autofocus`; else the browser picks the first. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  size = 'medium',
  footer,
  children,
}: DialogProps) {
  const { present, props } = useModal(open, onClose)
  const titleId = useId()
  const descriptionId = useId()
  return (
    <dialog
      {...props}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={titleId}
      aria-describedby={description ? descriptionId : undefined}
    >
      {present && (
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
            <IconButton label="Close" onClick={onClose}>
              <IconX />
            </IconButton>
          </div>
          {children && <div className={styles.body}>{children}</div>}
          {footer && <div className={styles.footer}>{footer}</div>}
          <Toasts active={open} />
        </div>
      )}
    </dialog>
  )
}
