// /admin/billing: who pays for what, by Stripe or by hand. `?add=` in the address opens the dialog for
// that person.
import { IconCreditCard, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Subscription } from '#contract/admin-billing.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AdminPage } from '../admin-page.tsx'
import { DataTable } from '../data-table.tsx'
import listBar from '../list-bar.module.css'
import { PageNote } from '../page-note.tsx'
import { UrlSearch } from '../url-search.tsx'
import { useExistingPage, useUrlFilters } from '../use-url-filters.ts'
import { PaymentsSheet } from './payments-sheet.tsx'
import { useSubscriptions } from './billing-queries.ts'
import { SubscriptionDialog } from './subscription-dialog.tsx'
import { SubscriptionRow } from './subscription-row.tsx'
import { SummaryCards } from './summary-cards.tsx'

const names = ['q', 'add'] as const

export function BillingScreen() {
  const { values, page, change, setPage } = useUrlFilters(names)
  const subscriptions = useSubscriptions(values.q, page)
  useExistingPage({ page, setPage }, subscriptions)
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<Subscription | null>(null)
  const [paying, setPaying] = useState<Subscription | null>(null)
  const { data } = subscriptions

  function close() {
    setAdding(false)
    setEditing(null)
    if (values.add) change({ add: '' }, { replace: true })
  }

  return (
    <AdminPage
      title="Billing & Subscriptions"
      note="Paid by card through Stripe, or by hand and noted here."
      actions={
        <Button variant="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
          Add Manual Subscription
        </Button>
      }
    >
      <SummaryCards summary={data?.summary} />
      <div className={listBar.bar}>
        <div className={listBar.search}>
          <UrlSearch
            label="Search subscriptions by email"
            placeholder="Search by email..."
            value={values.q}
            onSearch={(q) => change({ q }, { replace: true })}
          />
        </div>
      </div>
      <DataTable
        label="Subscriptions"
        columnCount={7}
        query={subscriptions}
        failedTitle="Failed to load subscriptions"
        stacked
        head={
          <>
            <th scope="col">Email</th>
            <th scope="col">Tier</th>
            <th scope="col">Status</th>
            <th scope="col">Payment</th>
            <th scope="col">Renewal Date</th>
            <th scope="col">Notes</th>
            <th scope="col">Actions</th>
          </>
        }
        empty={<EmptyState icon={<IconCreditCard />} title="No subscriptions found" />}
        footer={
          data?.pagination && (
            <PageNote label="Subscriptions" pagination={data.pagination} onChange={setPage} />
          )
        }
      >
        {(data?.subscriptions ?? []).map((row) => (
          <SubscriptionRow
            key={row.user_id}
            row={row}
            onEdit={() => setEditing(row)}
            onAdd={() => change({ add: row.user_id })}
            onPayments={() => setPaying(row)}
          />
        ))}
      </DataTable>
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
