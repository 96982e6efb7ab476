// A quiet line at the head of a form: what was restored, or what happened to the thing meanwhile.
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
