// One row of the subscription list, with an edit button for a manual subscription and quick actions for a Stripe one.
import {
  IconDots,
  IconExternalLink,
  IconPencil,
  IconPlus,
  IconReceipt,
} from '#web/base/ui/icons/icons.ts'
import type { Subscription } from '#contract/admin/admin-billing.ts'
import type { paymentMethods } from '#contract/plans.ts'
import { useState } from 'react'
import { Badge } from '../../base/ui/display/badge.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../base/ui/overlays/menu.tsx'
import { RowCheckbox } from '../shared/lists/row-checkboxes.tsx'
import { formatEnd } from '../shared/format/format-moment.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { StatusBadge, TierBadge } from '../shared/lists/status-badge.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useLast } from '../shared/lists/use-last.ts'
import type { RowSelection } from '../shared/lists/use-selection.ts'
import { ValueMenu } from '../shared/lists/value-menu.tsx'
import {
  sendBillingAction,
  paymentMethodOptions,
  useUpdateSubscription,
} from '../people/billing-queries.ts'
import { EndItems, EndSubscription, type WhenToEnd } from './end-subscription.tsx'
import { NoteCell } from './note-cell.tsx'
import { getQuickActions, type QuickAction } from './quick-actions.ts'
import styles from './subscription-row.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export interface SubscriptionRowProps {
  row: Subscription
  selection: RowSelection
  onEdit: () => void
  /** Opens the dialog that adds a manual subscription for this user. */
  onAdd: () => void
  onPayments: () => void
}

export function SubscriptionRow(props: SubscriptionRowProps) {
  const { row, selection, onEdit, onAdd, onPayments } = props
  return (
    <tr aria-selected={selection.isChosen(row.user_id)}>
      <RowCheckbox name={row.email} id={row.user_id} selection={selection} />
      <th scope="row" className={styles.email}>
        <span className={styles.who}>
          <PersonLink id={row.user_id} email={row.email} show="email" />
          {row.display_name && (
            <span className={styles.name} data-wide>
              <bdi>{row.display_name}</bdi>
            </span>
          )}
        </span>
      </th>
      <td data-label="Tier">
        <TierBadge tier={row.tier} />
      </td>
      <td data-label="Status">
        <span className={styles.status}>
          <StatusBadge status={row.status} />
          {row.trial_ends_at && <Badge tone="info">Trial</Badge>}
        </span>
      </td>
      <td data-label="Payment" data-wide>
        <Payment row={row} />
      </td>
      <td className={textStyles.noWrap} data-label="Renewal Date" data-wide>
        {row.renewal_date ? (
          <time dateTime={row.renewal_date}>{formatEnd(row.renewal_date)}</time>
        ) : (
          'N/A'
        )}
      </td>
      <td className={styles.notes} data-label="Notes" data-wide>
        <NoteCell row={row} />
      </td>
      <td data-label="Actions">
        <span className={styles.actions}>
          {row.stripe_customer_id && <PortalButton row={row} />}
          <IconButton size="small" label={`Payments of ${row.email}`} onClick={onPayments}>
            <IconReceipt />
          </IconButton>
          {row.is_manual ? (
            <IconButton size="small" label={`Edit subscription of ${row.email}`} onClick={onEdit}>
              <IconPencil />
            </IconButton>
          ) : (
            <QuickMenu row={row} onAdd={onAdd} />
          )}
        </span>
      </td>
    </tr>
  )
}

function manualMethod({ payment_method }: Subscription): (typeof paymentMethods)[number] {
  return payment_method === null || payment_method === 'stripe' ? 'other' : payment_method
}

export function isStripe(row: Subscription): boolean {
  return !row.is_manual && (row.payment_method === 'stripe' || row.stripe_customer_id !== null)
}

export function Payment({ row }: { row: Subscription }) {
  const updating = useAdminMutation<(typeof paymentMethods)[number]>({
    run: (payment_method) =>
      sendBillingAction({ action: 'update_payment_method', user_id: row.user_id, payment_method }),
    refresh: ['billing'],
    done: 'Payment method updated',
    failed: 'Failed to update payment method',
  })
  if (isStripe(row)) return <Badge tone="info">Stripe</Badge>
  if (!row.is_manual) return <span aria-label="None">–</span>
  return (
    <span className={styles.payment}>
      <Badge>Manual</Badge>
      <ValueMenu
        label={`Payment method of ${row.email}`}
        options={paymentMethodOptions}
        value={updating.isPending ? updating.variables : manualMethod(row)}
        disabled={updating.isPending}
        onChoose={(method) => updating.mutate(method)}
      />
    </span>
  )
}

export function QuickMenu({ row, onAdd }: { row: Subscription; onAdd: () => void }) {
  const updating = useUpdateSubscription()
  const [pendingAction, setPendingAction] = useState<QuickAction | null>(null)
  function choose(action: QuickAction) {
    if (row.is_billed && action.stripeNote) setPendingAction(action)
    else updating.mutate({ row, tier: action.tier, status: action.status })
  }
  const question = useLast(pendingAction)
  const [ending, setEnding] = useState<WhenToEnd | null>(null)
  return (
    <>
      <Menu
        label={`Actions for ${row.email}`}
        trigger={
          <IconButton size="small" label={`Actions for ${row.email}`} busy={updating.isPending}>
            <IconDots />
          </IconButton>
        }
      >
        {getQuickActions(row).map((action) => (
          <MenuItem key={action.label} onSelect={() => choose(action)}>
            {action.label}
          </MenuItem>
        ))}
        {row.is_billed && <EndItems onChoose={setEnding} />}
        {!isStripe(row) && (
          <>
            <MenuSeparator />
            <MenuItem icon={<IconPlus />} onSelect={onAdd}>
              Add Manual Subscription
            </MenuItem>
          </>
        )}
      </Menu>
      <ConfirmDialog
        open={pendingAction !== null}
        title={question?.label ?? ''}
        message={`${row.email}: ${question?.stripeNote ?? ''}`}
        confirmLabel={question?.label ?? ''}
        onCancel={() => setPendingAction(null)}
        onConfirm={() => {
          setPendingAction(null)
          if (pendingAction)
            updating.mutate({ row, tier: pendingAction.tier, status: pendingAction.status })
        }}
      />
      <EndSubscription row={row} when={ending} onClose={() => setEnding(null)} />
    </>
  )
}

export function PortalButton({ row }: { row: Subscription }) {
  const opening = useAdminMutation<Window | null>({
    async run(tab) {
      try {
        const { links } = await sendBillingAction({
          action: 'get_stripe_links',
          user_id: row.user_id,
        })
        if (tab && links) tab.location.replace(links.customer_portal)
      } catch (error) {
        tab?.close()
        throw error
      }
    },
    refresh: [],
    failed: 'Failed to get Stripe links',
  })
  return (
    <IconButton
      size="small"
      label={`Open the customer portal of ${row.email}`}
      busy={opening.isPending}
      // Open the tab in the click handler itself: popup blockers block a tab that is opened after the request.
      onClick={() => opening.mutate(openBlankTab())}
    >
      <IconExternalLink />
    </IconButton>
  )
}

/** Opens an empty tab without `opener`, so that the page loaded into it can't access this one. */
function openBlankTab(): Window | null {
  const tab = open('about:blank', '_blank')
  if (tab) tab.opener = null
  return tab
}
