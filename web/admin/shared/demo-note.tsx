// Notice that the screen shows sample data of the demo.
import type { ReactNode } from 'react'
import { Badge } from '../../base/ui/display/badge.tsx'
import styles from './demo-note.module.css'

export interface DemoNoteProps {
  children: ReactNode
  /** A button or link that leads to the real data. */
  action?: ReactNode
}

export function DemoNote({ children, action }: DemoNoteProps) {
  return (
    <p className={styles.note}>
      <Badge>Demo data</Badge>
      <span>{children}</span>
      {action}
    </p>
  )
}
