// The three totals above the list of subscriptions.
import type { ReactNode } from 'react'
import { IconCrown, IconUserCheck, IconUsers } from '#web/base/ui/icons/icons.ts'
import type { BillingResponse } from '../people/billing-queries.ts'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import styles from './summary-cards.module.css'

export function SummaryCards({ summary }: { summary: BillingResponse['summary'] }) {
  return (
    <dl className={styles.cards}>
      <SummaryCard
        icon={<IconUsers />}
        title="Total Users"
        note="Registered accounts"
        value={summary?.total_users}
      />
      <SummaryCard
        icon={<IconUserCheck />}
        title="Active Subscribers"
        note="Currently active"
        value={summary?.active_subscribers}
      />
      <SummaryCard
        icon={<IconCrown />}
        title="Premium Users"
        note="Premium tier"
        value={summary?.premium_users}
      />
    </dl>
  )
}

interface SummaryCardProps {
  icon: ReactNode
  title: string
  note: string
  value: number | undefined
}

function SummaryCard({ icon, title, note, value }: SummaryCardProps) {
  return (
    <div className={styles.card}>
      <dt className={styles.title}>
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        {title}
      </dt>
      <dd className={styles.value}>
        {value === undefined ? (
          <Skeleton width="4rem" height="2.25rem" />
        ) : (
          value.toLocaleString('en')
        )}
      </dd>
      <dd className={styles.note}>{note}</dd>
    </div>
  )
}
