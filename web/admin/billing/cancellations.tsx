// Shows why members canceled in the last 90 days.
import { useQuery } from '@tanstack/react-query'
import { listCancellations, type Cancellation } from '#contract/admin/money/admin-cancellations.ts'
import { cancelFeedbackLabels, type CancelReason } from '#contract/cancellations.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { formatDay, formatEnd } from '../shared/format/format-moment.ts'
import { PersonLink } from '../shared/person-link.tsx'
import styles from './at-risk.module.css'

const reasonLabels: Record<CancelReason, string> = {
  ...cancelFeedbackLabels,
  payment_failed: 'The payment failed',
  none: 'No reason given',
}

export function useCancellations() {
  return useQuery({
    queryKey: ['admin', 'billing', 'cancellations'],
    queryFn: ({ signal }) => call(listCancellations, {}, { signal }),
  })
}

export function Cancellations() {
  const { data, error, isFetching, refetch } = useCancellations()
  if (error) {
    return (
      <ErrorState
        title="Failed to load cancellations"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data || data.counts.length === 0) return null
  const total = data.counts.reduce((sum, { count }) => sum + count, 0)
  return (
    <details className={styles.box}>
      <summary className={styles.summary}>
        <strong>{total === 1 ? '1 cancellation' : `${total} cancellations`}</strong> in 90 days ·{' '}
        {data.counts.map(({ reason, count }) => `${reasonLabels[reason]}: ${count}`).join(' · ')}
      </summary>
      <ul className={styles.list}>
        {data.recent.map((row) => (
          <CancellationRow key={`${row.user_id} ${row.canceled_at}`} row={row} />
        ))}
      </ul>
    </details>
  )
}

function CancellationRow({ row }: { row: Cancellation }) {
  const { user_id, email, reason, comment, canceled_at, ends_at } = row
  return (
    <li className={styles.row}>
      <PersonLink id={user_id} email={email} show="email" />
      <span>
        {reasonLabels[reason]}
        {comment && `: “${comment}”`}
      </span>
      <span className={styles.note}>
        Canceled on {formatDay(canceled_at)}.{ends_at && ` Premium until ${formatEnd(ends_at)}.`}
      </span>
    </li>
  )
}
