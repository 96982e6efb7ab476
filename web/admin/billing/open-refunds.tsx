// Lists refunds that are pending at Stripe or that Stripe rejected.
import { useQuery } from '@tanstack/react-query'
import { listRefunds, type Refund } from '#contract/admin/money/admin-refunds.ts'
import { refundFailureTexts, refundReasonLabels } from '#contract/refunds.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatMoney } from '#contract/currencies.ts'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { formatDay } from '../shared/format/format-moment.ts'
import { PersonLink } from '../shared/person-link.tsx'
import styles from './at-risk.module.css'

export function useOpenRefunds() {
  return useQuery({
    queryKey: ['admin', 'billing', 'refunds'],
    queryFn: async ({ signal }) => (await call(listRefunds, {}, { signal })).data,
  })
}

export function OpenRefunds() {
  const { data, error, isFetching, refetch } = useOpenRefunds()
  if (error) {
    return (
      <ErrorState
        title="Failed to load refunds"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data || data.length === 0) return null
  const refused = data.filter(({ state }) => state === 'refused').length
  return (
    <details className={styles.box} open={refused > 0}>
      <summary className={styles.summary}>
        <strong>
          {refused > 0 && `${refused} rejected`}
          {refused > 0 && refused < data.length && ', '}
          {refused < data.length && `${data.length - refused} pending`}
        </strong>{' '}
        {data.length === 1 ? 'refund' : 'refunds'}
      </summary>
      <ul className={styles.list}>
        {data.map((refund) => (
          <RefundRow key={refund.id} refund={refund} />
        ))}
      </ul>
    </details>
  )
}

function RefundRow({ refund }: { refund: Refund }) {
  const { user_id, email, amount_cents, currency, reason, failure, created_at } = refund
  return (
    <li className={styles.row}>
      {user_id && email ? (
        <PersonLink id={user_id} email={email} show="email" />
      ) : (
        'Deleted account'
      )}
      <span>
        {formatMoney(amount_cents, currency)} on {formatDay(created_at)}
      </span>
      <span className={styles.note}>
        {refundReasonLabels[reason]}.{' '}
        {failure === null
          ? 'Sent to Stripe within a minute, and retried until Stripe responds.'
          : refundFailureTexts[failure]}
      </span>
    </li>
  )
}
