// A raised surface that groups content.
import type { ComponentProps, ReactNode } from 'react'
import styles from './card.module.css'

export interface CardProps extends Omit<ComponentProps<'section'>, 'className' | 'title'> {
  title?: ReactNode
  description?: ReactNode
  /** Content to the right of the heading. */
  actions?: ReactNode
  /** No padding around the content: for tables and lists. */
  flush?: boolean
}

export function Card({ title, description, actions, flush, children, ...section }: CardProps) {
  return (
    <section {...section} className={styles.card} data-flush={flush || undefined}>
      {(title || actions) && (
        <header className={styles.header}>
          <div>
            {title && <h2 className={styles.title}>{title}</h2>}
            {description && <p className={styles.description}>{description}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
