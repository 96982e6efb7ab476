// A note at the top of a form: restored changes, or a conflict with a newer version.
import type { ReactNode } from 'react'
import styles from './form-note.module.css'

export function FormNote({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.note} role="status">
      <p className={styles.words}>{children}</p>
      {action}
    </div>
  )
}
