// One screen of the back office: its heading, what can be done from there, and the content.
import type { ReactNode } from 'react'
import styles from './admin-page.module.css'

export interface AdminPageProps {
  title: string
  /** Under the heading: what there is, or what this is for. */
  note?: ReactNode
  /** Above the heading: the way back. */
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
