// Notice about a price change for existing subscribers: its progress, the members whose change Stripe rejected, and a
// button to cancel the price change.
import { useState } from 'react'
import type { PriceChange } from '#contract/admin/money/admin-prices.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { formatDay } from '../shared/format/format-moment.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { useCancelPriceChange, usePrices } from './price-queries.ts'
import styles from './price-change-notice.module.css'

export function PriceChangeNotice() {
  const { data, error, isFetching, refetch } = usePrices()
  if (error) {
    return (
      <ErrorState
        title="Failed to load the price change"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data?.change) return null
  const { state, refused } = data.change
  // Hide a price change that is done or canceled, unless Stripe rejected it for some members.
  if ((state === 'done' || state === 'called_off') && refused.length === 0) return null
  return <ChangeBox change={data.change} />
}

function ChangeBox({ change }: { change: PriceChange }) {
  const { id, state, effective_at, refused } = change
  const [isConfirmOpen, setIsConfirmOpen] = useState(false)
  const canceling = useCancelPriceChange(() => setIsConfirmOpen(false))
  const canStop = state === 'announcing' || state === 'announced'
  return (
    <section className={styles.box} aria-label="Price change">
      <p className={styles.summary}>
        <strong>New price from {formatDay(effective_at)}</strong> · {describeState(change)}
      </p>
      {refused.length > 0 && (
        <ul className={styles.list}>
          {refused.map(({ user_id, email, failure }) => (
            <li key={user_id}>
              <PersonLink id={user_id} email={email} show="email" /> keeps the old price. {failure}
            </li>
          ))}
        </ul>
      )}
      {canStop && (
        <span>
          <Button size="small" onClick={() => setIsConfirmOpen(true)}>
            {' '}
            Cancel Change{' '}
          </Button>
        </span>
      )}
      <ConfirmDialog
        open={isConfirmOpen}
        title="Cancel Price Change"
        confirmLabel="Cancel Price Change"
        cancelLabel="Keep Price Change"
        message="Existing subscribers keep their price. Those who were notified receive another email. New members pay the new price."
        busy={canceling.isPending}
        onConfirm={() => canceling.mutate(id)}
        onCancel={() => setIsConfirmOpen(false)}
      />
    </section>
  )
}

function describeState({ state, waiting, moved, left, refused }: PriceChange): string {
  const counts = [
    moved > 0 && `${moved} changed`,
    left > 0 && `${left} leaving`,
    refused.length > 0 && `${refused.length} rejected`,
  ].filter(Boolean)
  const rest = counts.length > 0 ? `, ${counts.join(', ')}` : ''
  if (state === 'announcing') return `${waiting} members notified so far${rest}`
  if (state === 'announced') return `${waiting} members notified${rest}`
  if (state === 'running') return `updating in Stripe: ${waiting} remaining${rest}`
  return state === 'done' ? `done${rest}` : `canceled${rest}`
}
