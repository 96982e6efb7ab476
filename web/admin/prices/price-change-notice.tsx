// A new price for members who pay already: how far it is, whom Stripe refused, and calling it off.
import { useState } from 'react'
import type { PriceChange } from '#contract/admin/money/admin-prices.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { formatDay } from '../shared/format/format-moment.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { useCallOff, usePrices } from './price-queries.ts'
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
  // What is over is of interest only if something is left to do.
  if ((state === 'done' || state === 'called_off') && refused.length === 0) return null
  return <ChangeBox change={data.change} />
}

function ChangeBox({ change }: { change: PriceChange }) {
  const { id, state, effective_at, refused } = change
  const [isAsking, setAsking] = useState(false)
  const callingOff = useCallOff(() => setAsking(false))
  const canStop = state === 'announcing' || state === 'announced'
  return (
    <section className={styles.box} aria-label="Price change">
      <p className={styles.summary}>
        <strong>New price from {formatDay(effective_at)}</strong> · {stateWords(change)}
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
          <Button size="small" onClick={() => setAsking(true)}>
            Call Off
          </Button>
        </span>
      )}
      <ConfirmDialog
        open={isAsking}
        title="Call Off the New Price"
        confirmLabel="Call Off"
        cancelLabel="Keep It"
        message="Members who pay already keep their price, and those who got the mail get another one. New members pay the new price."
        busy={callingOff.isPending}
        onConfirm={() => callingOff.mutate(id)}
        onCancel={() => setAsking(false)}
      />
    </section>
  )
}

function stateWords({ state, waiting, moved, left, refused }: PriceChange): string {
  const counts = [
    moved > 0 && `${moved} changed`,
    left > 0 && `${left} leaving`,
    refused.length > 0 && `${refused.length} refused`,
  ].filter(Boolean)
  const rest = counts.length > 0 ? `, ${counts.join(', ')}` : ''
  if (state === 'announcing') return `${waiting} members told so far${rest}`
  if (state === 'announced') return `${waiting} members told${rest}`
  if (state === 'running') return `being changed at Stripe: ${waiting} to go${rest}`
  return state === 'done' ? `done${rest}` : `called off${rest}`
}
