// /admin/billing/gifts: lists gifts that were bought, with recipient and redemption. A gift can be refunded, and its
// code sent again.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconReceipt } from '#web/base/ui/icons/icons.ts'
import type { Payment } from '#contract/admin/admin-billing.ts'
import { listSoldGifts, resendGift, type AdminGift } from '#contract/admin/money/admin-gifts.ts'
import { giftStates } from '#contract/gifts.ts'
import { call } from '../../base/api/api.ts'
import { formatMoney } from '#contract/currencies.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { RefundDialog } from '../billing/refund-dialog.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { formatDay } from '../shared/format/format-moment.ts'
import { SearchAndState } from '../shared/lists/search-and-state.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useExistingPage, useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './gifts-screen.module.css'

const names = ['q', 'state'] as const

const stateLabels: Record<AdminGift['state'], string> = {
  open: 'Not redeemed',
  scheduled: 'Not sent yet',
  sent: 'Sent',
  redeemed: 'Redeemed',
  refunded: 'Refunded',
}

export function GiftsScreen() {
  const filters = useUrlFilters(names)
  const { q, state: wanted } = filters.values
  const state = giftStates.find((one) => one === wanted)
  const query = { ...(q && { q }), ...(state && { state }), page: filters.page }
  const gifts = useQuery({
    queryKey: ['admin', 'billing', 'gifts', query],
    queryFn: ({ signal }) => call(listSoldGifts, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
  useExistingPage(filters, gifts)
  const [refunding, setRefunding] = useState<AdminGift | null>(null)
  return (
    <AdminPage
      title="Gifts"
      note="Gifts are paid once and do not renew. A full refund cancels the gift."
      actions={<ButtonLink to="/admin/billing">Billing</ButtonLink>}
    >
      <SearchAndState
        what="gifts"
        placeholder="Email of buyer or recipient"
        labels={stateLabels}
        filters={filters}
      />
      <DataTable
        label="Gifts"
        columnCount={6}
        stacked
        tall
        query={gifts}
        failedTitle="Failed to load gifts"
        head={
          <>
            <th scope="col">Gift</th>
            <th scope="col">Buyer</th>
            <th scope="col">For</th>
            <th scope="col">State</th>
            <th scope="col">Redeemed by</th>
            <th scope="col">Actions</th>
          </>
        }
        empty={
          <EmptyState
            icon={<IconReceipt />}
            title="No gifts found"
            message={
              q || state
                ? 'Nothing matches this search and these filters.'
                : 'Members can buy gifts at /gift once Stripe is set up.'
            }
          />
        }
        footer={
          gifts.data && (
            <PageNote label="Gifts" pagination={gifts.data.pagination} onChange={filters.setPage} />
          )
        }
      >
        {(gifts.data?.data ?? []).map((gift) => (
          <GiftRow key={gift.id} gift={gift} onRefund={() => setRefunding(gift)} />
        ))}
      </DataTable>
      <RefundDialog
        payment={refunding && toPayment(refunding)}
        onClose={() => setRefunding(null)}
      />
    </AdminPage>
  )
}

function GiftRow({ gift, onRefund }: { gift: AdminGift; onRefund: () => void }) {
  const { months, amount_cents, currency, buyer, state, redeemed_by, refunded_cents } = gift
  return (
    <tr>
      <th scope="row">
        {months === 1 ? '1 month' : `${months} months`}, {formatMoney(amount_cents, currency)}
        <span className={styles.note}>{formatDay(gift.paid_at)}</span>
      </th>
      <td data-label="Buyer">{buyer ? <PersonLink {...buyer} /> : 'Deleted account'}</td>
      <td data-label="For">
        {gift.recipient_email ?? 'Buyer delivers it'}
        {describeDelivery(gift) && <span className={styles.note}>{describeDelivery(gift)}</span>}
      </td>
      <td data-label="State">
        <Badge>{stateLabels[state]}</Badge>
        {refunded_cents > 0 && (
          <span className={styles.note}>{formatMoney(refunded_cents, currency)} refunded</span>
        )}
      </td>
      <td data-label="Redeemed by">
        {redeemed_by ? (
          <PersonLink {...redeemed_by} />
        ) : gift.redeemed_at ? (
          'Deleted account'
        ) : (
          'Not yet'
        )}
        {gift.redeemed_at && <span className={styles.note}>{describePlanPeriod(gift)}</span>}
      </td>
      <td data-label="Actions">
        <GiftActions gift={gift} onRefund={onRefund} />
      </td>
    </tr>
  )
}

function GiftActions({ gift, onRefund }: { gift: AdminGift; onRefund: () => void }) {
  const { id, state, payment_id, amount_cents, refunded_cents, from_name } = gift
  const isOpen = state !== 'redeemed' && state !== 'refunded'
  const isRefundable = payment_id !== null && refunded_cents < amount_cents
  const resending = useAdminMutation({
    run: () => call(resendGift, { params: { gift_id: id } }),
    refresh: ['billing'],
    done: gift.recipient_email ? 'Gift sent' : 'Code sent to the buyer',
    failed: 'Failed to send the gift',
  })
  return (
    <span className={styles.actions}>
      {isOpen && (
        <Button
          size="small"
          aria-label={`Send Again: gift from ${from_name}`}
          busy={resending.isPending}
          onClick={() => resending.mutate()}
        >
          Send Again
        </Button>
      )}
      {isRefundable && (
        <Button size="small" aria-label={`Refund gift from ${from_name}`} onClick={onRefund}>
          Refund
        </Button>
      )}
    </span>
  )
}

function describeDelivery({ send_at, sent_at }: AdminGift): string | null {
  if (sent_at) return `Sent ${formatDay(sent_at)}`
  return send_at && `Due ${formatDay(send_at)}`
}

function describePlanPeriod({ plan_from, plan_to }: AdminGift): string {
  if (!plan_from || !plan_to) return 'Starts when their current plan ends'
  return `${formatDay(plan_from)} – ${formatDay(plan_to)}`
}

function toPayment(gift: AdminGift): Payment | null {
  if (gift.payment_id === null) return null
  return {
    id: gift.payment_id,
    kind: 'payment',
    amount_cents: gift.amount_cents,
    currency: gift.currency,
    payment_method: 'stripe',
    tier: 'premium',
    is_simulated: false,
    paid_at: gift.paid_at,
    refunded_cents: gift.refunded_cents,
    is_refundable: true,
    receipt_number: null,
    voided_by: null,
  }
}
