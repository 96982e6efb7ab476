// Asks for confirmation, then cancels a subscription that Stripe bills.
import { endPersonSubscription } from '#contract/admin/money/admin-refunds.ts'
import type { Subscription } from '#contract/admin/admin-billing.ts'
import { call } from '../../base/api/api.ts'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { MenuItem, MenuSeparator } from '../../base/ui/overlays/menu.tsx'
import { formatEnd } from '../shared/format/format-moment.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export type WhenToEnd = 'now' | 'period_end'

export function EndItems({ onChoose }: { onChoose: (when: WhenToEnd) => void }) {
  return (
    <>
      <MenuSeparator />
      <MenuItem onSelect={() => onChoose('period_end')}>Cancel at Period End</MenuItem>
      <MenuItem onSelect={() => onChoose('now')}>Cancel Now</MenuItem>
    </>
  )
}

export interface EndSubscriptionProps {
  row: Subscription
  /** When the subscription ends. Null while the dialog is closed. */
  when: WhenToEnd | null
  onClose: () => void
}

export function EndSubscription({ row, when, onClose }: EndSubscriptionProps) {
  const shown = useLast(when)
  const ending = useAdminMutation<WhenToEnd>({
    run: (chosen) =>
      call(endPersonSubscription, { params: { id: row.user_id }, body: { when: chosen } }),
    refresh: ['billing', 'users', 'insights'],
    done: 'Subscription canceled',
    onDone: onClose,
    failed: 'Failed to cancel the subscription',
  })
  const end = row.renewal_date ? `on ${formatEnd(row.renewal_date)}` : 'at the end of the period'
  return (
    <ConfirmDialog
      open={when !== null}
      title={shown === 'now' ? 'Cancel now?' : 'Cancel at the end of the period?'}
      message={
        shown === 'now'
          ? `${row.email}: Premium ends now. Past payments are not refunded.`
          : `${row.email}: Premium ends ${end}, and Stripe makes no further charges.`
      }
      confirmLabel="Cancel Subscription"
      cancelLabel="Keep Subscription"
      busy={ending.isPending}
      onConfirm={() => when && ending.mutate(when)}
      onCancel={onClose}
    />
  )
}
