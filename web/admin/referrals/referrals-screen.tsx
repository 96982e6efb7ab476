// /admin/billing/referrals: lists members who joined through a referral link, and the free months that they and the
// member who referred them got.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconUsers } from '#web/base/ui/icons/icons.ts'
import {
  listReferrals,
  voidReferral,
  type AdminReferral,
  type RewardState,
} from '#contract/admin/money/admin-referrals.ts'
import { referralStates, type ReferralState, type ReferralVoidReason } from '#contract/referrals.ts'
import type { Output } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { formatShortMoment } from '../shared/format/format-moment.ts'
import { SearchAndState } from '../shared/lists/search-and-state.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { useExistingPage, useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './referrals-screen.module.css'

const names = ['q', 'state'] as const

const stateLabels: Record<ReferralState, string> = {
  joined: 'Joined',
  paid: 'Paid, reward pending',
  rewarded: 'Rewarded',
  void: 'Void',
}
const reasonLabels: Record<ReferralVoidReason, string> = {
  refunded: 'refunded',
  same_card: 'same card',
  account_deleted: 'account deleted',
  by_admin: 'by an admin',
}
const rewardLabels: Record<RewardState, string> = {
  none: 'None',
  waiting: 'Pending',
  given: 'Given',
  ending: 'Being revoked',
  ended: 'Revoked',
  over_limit: 'Over the limit',
}

export function ReferralsScreen() {
  const filters = useUrlFilters(names)
  const { q, state: wanted } = filters.values
  const state = referralStates.find((one) => one === wanted)
  const query = { ...(q && { q }), ...(state && { state }), page: filters.page }
  const referrals = useQuery({
    queryKey: ['admin', 'billing', 'referrals', query],
    queryFn: ({ signal }) => call(listReferrals, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
  useExistingPage(filters, referrals)
  const [ending, setEnding] = useState<AdminReferral | null>(null)
  return (
    <AdminPage
      title="Referrals"
      note={referrals.data ? describeStatistics(referrals.data.figures) : '…'}
      actions={<ButtonLink to="/admin/billing">Billing</ButtonLink>}
    >
      <SearchAndState
        what="referrals"
        placeholder="Email of friend or member"
        labels={stateLabels}
        filters={filters}
      />
      <DataTable
        label="Referrals"
        columnCount={6}
        stacked
        tall
        query={referrals}
        failedTitle="Failed to load referrals"
        head={
          <>
            <th scope="col">Friend</th>
            <th scope="col">Joined</th>
            <th scope="col">Member</th>
            <th scope="col">State</th>
            <th scope="col">Months</th>
            <th scope="col">Actions</th>
          </>
        }
        empty={
          <EmptyState
            icon={<IconUsers />}
            title="No referrals found"
            message={
              q || state
                ? 'Nothing matches this search and these filters.'
                : 'Members find their referral link in their profile once you offer free months in System Settings under Stripe.'
            }
          />
        }
        footer={
          referrals.data && (
            <PageNote
              label="Referrals"
              pagination={referrals.data.pagination}
              onChange={filters.setPage}
            />
          )
        }
      >
        {(referrals.data?.data ?? []).map((row) => (
          <ReferralRow key={row.id} row={row} onVoid={() => setEnding(row)} />
        ))}
      </DataTable>
      <VoidDialog referral={ending} onClose={() => setEnding(null)} />
    </AdminPage>
  )
}

function describeStatistics({ joined, paid, rewarded, months_given }: Figures): string {
  return `${joined} joined, ${paid} paid, ${rewarded} rewarded, ${months_given} months given`
}
type Figures = Output<typeof listReferrals>['figures']

function ReferralRow({ row, onVoid }: { row: AdminReferral; onVoid: () => void }) {
  const { friend, referrer, state, void_reason, joined_at, months } = row
  return (
    <tr>
      <th scope="row">{friend ? <PersonLink {...friend} /> : 'Deleted account'}</th>
      <td data-label="Joined">
        <time dateTime={joined_at}>{formatShortMoment(joined_at)}</time>
      </td>
      <td data-label="Member">{referrer ? <PersonLink {...referrer} /> : 'Deleted account'}</td>
      <td data-label="State">
        <Badge>{stateLabels[state]}</Badge>
        {void_reason && <span className={styles.note}> {reasonLabels[void_reason]}</span>}
      </td>
      <td data-label="Months">
        {months} each
        {(state === 'rewarded' || row.referrer_reward !== 'none') && (
          <span className={styles.note}>
            Member: {rewardLabels[row.referrer_reward]}. Friend: {rewardLabels[row.friend_reward]}.
          </span>
        )}
      </td>
      <td data-label="Actions">
        {state !== 'void' && (
          <Button
            size="small"
            aria-label={`Void ${friend?.email ?? 'this referral'}`}
            onClick={onVoid}
          >
            Void
          </Button>
        )}
      </td>
    </tr>
  )
}

function VoidDialog({
  referral,
  onClose,
}: {
  referral: AdminReferral | null
  onClose: () => void
}) {
  const shown = useLast(referral)
  const voiding = useAdminMutation<AdminReferral>({
    run: ({ id }) => call(voidReferral, { params: { referral_id: id } }),
    refresh: ['billing', 'users', 'insights'],
    done: 'Referral voided',
    onDone: onClose,
    failed: 'Failed to void the referral',
  })
  return (
    <ConfirmDialog
      open={referral !== null}
      title={`Void the referral of ${shown?.friend?.email ?? 'this friend'}`}
      message="It earns no free months. Unused months are revoked from both members. Both keep their accounts."
      confirmLabel="Void"
      busy={voiding.isPending}
      onConfirm={() => referral && voiding.mutate(referral)}
      onCancel={onClose}
    />
  )
}
