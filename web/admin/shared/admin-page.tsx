// Layout of a back-office screen: heading, actions and content.
import type { ReactNode } from 'react'
import styles from './admin-page.module.css'

export interface AdminPageProps {
  title: string
  /** Text under the heading, such as a count or a description. */
  note?: ReactNode
  /** Link back to the list, above the heading. */
  back?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function AdminPage({ title, note, back, actions, children }: AdminPageProps) {
  return (
    <>
      {back && <div className={styles.back}>{back}</div>}
      <header className={styles.header}>
        <div className={styles.words}>
          <h1 className={styles.title}>{title}</h1>
          {note && <p className={styles.note}>{note}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </>
  )
}
