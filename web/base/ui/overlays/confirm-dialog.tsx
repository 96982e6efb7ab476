// Asks for confirmation of a destructive action. Cancel has the focus. The dialog can't be closed while the action is
// running.
import { useId, type ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import styles from './dialog.module.css'
import { Toasts } from './toasts.tsx'
import { useModal } from './use-modal.ts'

export interface ConfirmDialogProps {
  open: boolean
  title: string
  message: ReactNode
  /** Label of the action: 'Delete', 'Remove'. */
  confirmLabel: string
  cancelLabel?: string
  tone?: 'danger' | 'neutral'
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

export function ConfirmDialog({
  open,
  title,
  message,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  busy = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const { present, props } = useModal(open, () => {
    if (!busy) onCancel()
  })
  const titleId = useId()
  const messageId = useId()
  return (
    <dialog
      {...props}
      className={`${styles.dialog} ${styles.small}`}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={messageId}
    >
      {present && (
        <div className={styles.frame}>
          <div className={styles.question}>
            <h2 id={titleId} className={styles.title}>
              {title}
            </h2>
            <p id={messageId} className={styles.description}>
              {message}
            </p>
          </div>
          <div className={styles.footer}>
            <Button data-autofocus disabled={busy} onClick={onCancel}>
              {cancelLabel}
            </Button>
            <Button
              variant={tone === 'danger' ? 'danger' : 'primary'}
              busy={busy}
              onClick={onConfirm}
            >
              {confirmLabel}
            </Button>
          </div>
          <Toasts active={open} />
        </div>
      )}
    </dialog>
  )
}
