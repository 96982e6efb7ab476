// Shown in place of an empty list: a message, and what to do next.
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

export interface EmptyStateProps {
  icon?: ReactNode
  title: string
  /** Renders the title as the screen's heading. For a screen that has no other content. */
  isScreenHeading?: boolean
  message?: string
  /** A button or link. */
  action?: ReactNode
}

export function EmptyState({ icon, title, isScreenHeading, message, action }: EmptyStateProps) {
  const Title = isScreenHeading ? 'h1' : 'p'
  return (
    <div className={styles.state}>
      {icon && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <Title className={styles.title}>{title}</Title>
      {message && <p className={styles.message}>{message}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
