// /admin/billing: lists subscriptions, both those billed by Stripe and those entered by an admin. `?add=<user id>`
// opens the dialog that adds a subscription for this user.
import { IconCreditCard, IconPlus } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { Subscription } from '#contract/admin/admin-billing.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { PageCheckbox } from '../shared/lists/row-checkboxes.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { SortColumn } from '../shared/lists/sort-column.tsx'
import { useExistingPage } from '../shared/lists/use-url-filters.ts'
import { useSelection, type RowSelection } from '../shared/lists/use-selection.ts'
import { BillingNotices, useBillingNoticesPending } from './billing-notices.tsx'
import { PaymentsSheet } from './payments-sheet.tsx'
import { useSubscriptions } from '../people/billing-queries.ts'
import { SubscriptionBulkBar } from './subscription-bulk-bar.tsx'
import { SubscriptionDialog } from './subscription-dialog.tsx'
import { SubscriptionFilterBar } from './subscription-filter-bar.tsx'
import { useSubscriptionFilters } from './subscription-filters.ts'
import { SubscriptionRow } from './subscription-row.tsx'
import { SummaryCards } from './summary-cards.tsx'

export function BillingScreen() {
  const filters = useSubscriptionFilters()
  const { values, change, setPage } = filters
  const subscriptions = useSubscriptions(filters.query)
  useExistingPage(filters, subscriptions)
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<Subscription | null>(null)
  const [paying, setPaying] = useState<Subscription | null>(null)
  const { data } = subscriptions
  const rows = data?.subscriptions ?? []
  const total = data?.pagination?.total ?? 0
  const ids = rows.map(({ user_id }) => user_id)
  const selection = useSelection(ids, total, JSON.stringify(filters.query))

  function close() {
    setAdding(false)
    setEditing(null)
    if (values.add) change({ add: '' }, { replace: true })
  }

  const noticesPending = useBillingNoticesPending()
  return (
    <AdminPage
      title="Billing & Subscriptions"
      note="Subscriptions billed by card through Stripe, and those you manage manually."
      actions={<BillingActions onAdd={() => setAdding(true)} />}
    >
      <SummaryCards summary={data?.summary} />
      {subscriptions.isPending || noticesPending ? (
        <Skeleton height="30rem" />
      ) : (
        <>
          <BillingNotices atRisk={data?.at_risk} />
          <SubscriptionFilterBar filters={filters} />
          <DataTable
            label="Subscriptions"
            columnCount={8}
            query={subscriptions}
            failedTitle="Failed to load subscriptions"
            stacked
            head={<SubscriptionColumns {...{ ids, selection, filters }} />}
            empty={<EmptyState icon={<IconCreditCard />} title="No subscriptions found" />}
            footer={
              data?.pagination && (
                <PageNote label="Subscriptions" pagination={data.pagination} onChange={setPage} />
              )
            }
          >
            {rows.map((row) => (
              <SubscriptionRow
                key={row.user_id}
                row={row}
                selection={selection}
                onEdit={() => setEditing(row)}
                onAdd={() => change({ add: row.user_id })}
                onPayments={() => setPaying(row)}
              />
            ))}
          </DataTable>
        </>
      )}
      <SubscriptionBulkBar selection={selection} total={total} matching={filters.matching} />
      <SubscriptionDialog
        open={adding || editing !== null || values.add !== ''}
        editing={editing}
        presetUserId={values.add}
        onClose={close}
      />
      <PaymentsSheet row={paying} onClose={() => setPaying(null)} />
    </AdminPage>
  )
}

function BillingActions({ onAdd }: { onAdd: () => void }) {
  return (
    <>
      <ButtonLink to="/admin/billing/codes">Promotion Codes</ButtonLink>
      <ButtonLink to="/admin/billing/gifts">Gifts</ButtonLink>
      <ButtonLink to="/admin/billing/referrals">Referrals</ButtonLink>
      <Button variant="primary" icon={<IconPlus />} onClick={onAdd}>
        Add Manual Subscription
      </Button>
    </>
  )
}

interface SubscriptionColumnsProps {
  ids: readonly string[]
  selection: RowSelection
  filters: ReturnType<typeof useSubscriptionFilters>
}

function SubscriptionColumns({ ids, selection, filters }: SubscriptionColumnsProps) {
  return (
    <>
      <PageCheckbox label="Select all people on this page" ids={ids} selection={selection} />
      <SortColumn name="email" filters={filters}>
        Email
      </SortColumn>
      <SortColumn name="tier" filters={filters}>
        Tier
      </SortColumn>
      <SortColumn name="status" filters={filters}>
        Status
      </SortColumn>
      <SortColumn name="payment_method" filters={filters} wide>
        Payment
      </SortColumn>
      <SortColumn name="renewal_date" filters={filters} wide>
        Renewal Date
      </SortColumn>
      <SortColumn name="notes" filters={filters} wide>
        Notes
      </SortColumn>
      <th scope="col">Actions</th>
    </>
  )
}
