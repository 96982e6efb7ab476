// Says that what is shown was made up for the demo.
import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import styles from './demo-note.module.css'

export interface DemoNoteProps {
  children: ReactNode
  /** The way to what is real. */
  action?: ReactNode
}

export function DemoNote({ children, action }: DemoNoteProps) {
  return (
    <p className={styles.note}>
      <Badge>Demo figures</Badge>
      <span>{children}</span>
      {action}
    </p>
  )
}
