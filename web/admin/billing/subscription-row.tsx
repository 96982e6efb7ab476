// One person's subscription. What was paid by hand is edited here; what Stripe runs gets quick actions.
import { IconDots, IconExternalLink, IconPencil, IconPlus, IconReceipt } from '@tabler/icons-react'
import type { Subscription } from '#contract/admin-billing.ts'
import type { paymentMethods } from '#contract/plans.ts'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Select } from '../../ui/select.tsx'
import { formatEnd } from '../format-moment.ts'
import { StatusBadge, TierBadge } from '../status-badge.tsx'
import { useAct } from '../use-act.ts'
import { useLast } from '../use-last.ts'
import { billing, paymentMethodOptions, useUpdateSubscription } from './billing-queries.ts'
import { NoteCell } from './note-cell.tsx'
import { quickActions, type QuickAction } from './quick-actions.ts'
import styles from './subscription-row.module.css'

export interface SubscriptionRowProps {
  row: Subscription
  onEdit: () => void
  /** A manual subscription for this person. */
  onAdd: () => void
  onPayments: () => void
}

export function SubscriptionRow({ row, onEdit, onAdd, onPayments }: SubscriptionRowProps) {
  return (
    <tr>
      <th scope="row" className={styles.email}>
        {row.email}
      </th>
      <td data-label="Tier">
        <TierBadge tier={row.tier} />
      </td>
      <td data-label="Status">
        <StatusBadge status={row.status} />
      </td>
      <td data-label="Payment" data-full={row.is_manual || undefined}>
        <Payment row={row} />
      </td>
      <td className={styles.date} data-label="Renewal Date">
        {row.renewal_date ? (
          <time dateTime={row.renewal_date}>{formatEnd(row.renewal_date)}</time>
        ) : (
          'N/A'
        )}
      </td>
      <td data-label="Notes">
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

function isStripe(row: Subscription): boolean {
  return !row.is_manual && (row.payment_method === 'stripe' || row.stripe_customer_id !== null)
}

function Payment({ row }: { row: Subscription }) {
  const updating = useAct<(typeof paymentMethods)[number]>({
    run: (payment_method) =>
      billing({ action: 'update_payment_method', user_id: row.user_id, payment_method }),
    refresh: ['billing'],
    done: 'Payment method updated',
    failed: 'Failed to update payment method',
  })
  if (isStripe(row)) return <Badge tone="info">Stripe</Badge>
  if (!row.is_manual) return <span aria-label="None">–</span>
  return (
    <span className={styles.payment}>
      <Badge>Manual</Badge>
      <Select
        label={`Payment method of ${row.email}`}
        hideLabel
        options={paymentMethodOptions}
        value={updating.isPending ? updating.variables : (row.payment_method ?? 'other')}
        disabled={updating.isPending}
        onChange={(event) => updating.mutate(event.target.value as (typeof paymentMethods)[number])}
      />
    </span>
  )
}

function QuickMenu({ row, onAdd }: { row: Subscription; onAdd: () => void }) {
  const updating = useUpdateSubscription()
  const [asked, setAsked] = useState<QuickAction | null>(null)
  function choose(action: QuickAction) {
    if (row.is_billed && action.stripeNote) setAsked(action)
    else updating.mutate({ row, tier: action.tier, status: action.status })
  }
  const question = useLast(asked)
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
        {quickActions(row).map((action) => (
          <MenuItem key={action.label} onSelect={() => choose(action)}>
            {action.label}
          </MenuItem>
        ))}
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
        open={asked !== null}
        title={question?.label ?? ''}
        message={`${row.email}: ${question?.stripeNote ?? ''}`}
        confirmLabel={question?.label ?? ''}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          setAsked(null)
          if (asked) updating.mutate({ row, tier: asked.tier, status: asked.status })
        }}
      />
    </>
  )
}

function PortalButton({ row }: { row: Subscription }) {
  const opening = useAct<Window | null>({
    async run(tab) {
      try {
        const { links } = await billing({ action: 'get_stripe_links', user_id: row.user_id })
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
      // The tab is opened by the click itself: one opened later would be blocked.
      onClick={() => opening.mutate(openBlankTab())}
    >
      <IconExternalLink />
    </IconButton>
  )
}

/** The page that comes into it must not reach back to this one. */
function openBlankTab(): Window | null {
  const tab = open('about:blank', '_blank')
  if (tab) tab.opener = null
  return tab
}
