// A panel that slides in from an edge over the page: the mobile navigation, an editor beside its list, the full-screen
// player.
import { IconX } from '../icons/icons.ts'
import { useId, type ReactNode } from 'react'
import { ClosingContext, useClosing } from './close-guard.ts'
import { IconButton } from '../controls/icon-button.tsx'
import styles from './sheet.module.css'
import { Toasts } from './toasts.tsx'
import { useModal } from './use-modal.ts'

export interface SheetProps {
  open: boolean
  onClose: () => void
  title: string
  side?: 'left' | 'right' | 'bottom'
  /** Shows the heading only to screen readers. */
  hideTitle?: boolean
  /** Stays at the bottom while the content scrolls. */
  footer?: ReactNode
  children: ReactNode
}

export function Sheet({
  open,
  onClose,
  title,
  side = 'right',
  hideTitle,
  footer,
  children,
}: SheetProps) {
  const closing = useClosing(onClose)
  const { present, props } = useModal(open, closing.requestClose)
  const titleId = useId()
  return (
    <dialog {...props} className={`${styles.sheet} ${styles[side]}`} aria-labelledby={titleId}>
      {present && (
        <ClosingContext value={closing}>
          <div className={styles.frame}>
            <div className={styles.header}>
              <h2 id={titleId} className={hideTitle ? styles.hiddenTitle : styles.title}>
                {title}
              </h2>
              <IconButton label="Close" onClick={closing.requestClose}>
                <IconX />
              </IconButton>
            </div>
            <div className={styles.body}>{children}</div>
            {footer && <div className={styles.footer}>{footer}</div>}
            <Toasts active={open} />
          </div>
        </ClosingContext>
      )}
    </dialog>
  )
}
