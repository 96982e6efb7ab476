// One card of the System page.
import type { ReactNode } from 'react'
import styles from './system-cards.module.css'

interface FactProps {
  title: string
  value: ReactNode
  badge?: ReactNode
  note: ReactNode
}

export function SystemCard({ title, value, badge, note }: FactProps) {
  return (
    <div className={styles.card}>
      <dt className={styles.title}>{title}</dt>
      <dd className={styles.value}>
        <span>{value}</span>
        {badge}
      </dd>
      <dd className={styles.note}>{note}</dd>
    </div>
  )
}
