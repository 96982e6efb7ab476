// /admin/royalties: the royalties of each artist for one month. The statement can be downloaded and closed. Month and
// currency are stored in the URL.
import { IconDownload, IconLock, IconReceipt } from '#web/base/ui/icons/icons.ts'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { closeRoyalties, exportRoyalties, getRoyalties } from '#contract/creators/royalties.ts'
import type { Output } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { formatMoney } from '#contract/currencies.ts'
import { formatCount } from '../../base/format/format-number.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { downloadFile } from '../shared/format/download-file.ts'
import { formatMoment } from '../shared/format/format-moment.ts'
import { DataTable } from '../shared/lists/data-table.tsx'
import listBar from '../shared/lists/list-bar.module.css'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useExistingPage, useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './royalties.module.css'

type Statement = Output<typeof getRoyalties>
type Wanted = { month: string; currency?: string }

const isMonth = (text: string) => /^[12]\d{3}-(?:0[1-9]|1[0-2])$/.test(text)
const monthName = new Intl.DateTimeFormat('en', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const formatMonth = (month: string) => monthName.format(new Date(`${month}-01T00:00:00Z`))

/** Returns the previous month, the latest one that can be closed. */
function getLastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7)
}

export function RoyaltiesScreen() {
  const filters = useUrlFilters(['month', 'currency'])
  const [openedAt] = useState(() => new Date())
  const { values, page } = filters
  const month = isMonth(values.month) ? values.month : getLastMonth(openedAt)
  const wanted: Wanted = {
    month,
    ...(/^[a-z]{3}$/.test(values.currency) && { currency: values.currency }),
  }
  const statement = useQuery({
    queryKey: ['admin', 'royalties', wanted, page],
    queryFn: ({ signal }) => call(getRoyalties, { query: { ...wanted, page } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  useExistingPage(filters, statement)
  const { data } = statement
  const thisMonth = openedAt.toISOString().slice(0, 7)
  return (
    <AdminPage
      title="Royalties"
      note="Each member’s payments in a month, less refunds, divided among artists by that member’s listening minutes. Months are in UTC."
      actions={<Actions wanted={wanted} statement={data} isOver={month < thisMonth} />}
    >
      <div className={listBar.bar}>
        <TextField
          label="Month"
          type="month"
          max={thisMonth}
          value={month}
          onChange={({ target }) =>
            isMonth(target.value) && filters.change({ month: target.value })
          }
        />
        {data && data.other_currencies.length > 0 && (
          <Select
            label="Currency"
            options={[data.currency, ...data.other_currencies].map((value) => ({
              value,
              label: value.toUpperCase(),
            }))}
            value={data.currency}
            onChange={({ target }) => filters.change({ currency: target.value })}
          />
        )}
      </div>
      <Totals statement={data} />
      <ArtistTable statement={statement} onPage={filters.setPage} />
    </AdminPage>
  )
}

function StatementState({ statement }: { statement: Statement | undefined }) {
  if (!statement) return <Badge>–</Badge>
  if (statement.closed_at === null) {
    return (
      <>
        <Badge>Open</Badge> Based on current payments and plays.
      </>
    )
  }
  return (
    <>
      <Badge tone="success">Closed</Badge> on {formatMoment(statement.closed_at)}
    </>
  )
}

interface ActionsProps {
  wanted: Wanted
  statement: Statement | undefined
  isOver: boolean
}

function Actions({ wanted, statement, isOver }: ActionsProps) {
  const { month } = wanted
  const [isConfirmOpen, setIsConfirmOpen] = useState(false)
  const exporting = useAdminMutation({
    run: () => downloadFile(exportRoyalties.path, wanted, `royalties-${month}.csv`),
    refresh: [],
    done: 'Download started',
    failed: 'Failed to export the statement',
  })
  const closing = useAdminMutation({
    run: () => call(closeRoyalties, { body: { month } }),
    refresh: ['royalties'],
    done: `${formatMonth(month)} is closed`,
    onDone: () => setIsConfirmOpen(false),
    failed: 'Failed to close the month',
  })
  return (
    <>
      <Button
        icon={<IconDownload />}
        busy={exporting.isPending}
        disabled={!statement}
        onClick={() => exporting.mutate()}
      >
        Download CSV
      </Button>
      {isOver && !statement?.closed_at && (
        <Button
          variant="primary"
          icon={<IconLock />}
          disabled={!statement}
          onClick={() => setIsConfirmOpen(true)}
        >
          Close Month
        </Button>
      )}
      <ConfirmDialog
        open={isConfirmOpen}
        title={`Close ${formatMonth(month)}?`}
        message="The statement is saved as it is now. Later refunds and changes to artists do not affect it, and it cannot be reopened."
        confirmLabel="Close Month"
        busy={closing.isPending}
        onConfirm={() => closing.mutate()}
        onCancel={() => setIsConfirmOpen(false)}
      />
    </>
  )
}

/** Rendered also while the statement loads, with dashes, to avoid a layout shift. */
function Totals({ statement }: { statement: Statement | undefined }) {
  const money = (cents: (of: Statement) => number) =>
    statement ? formatMoney(cents(statement), statement.currency) : '–'
  const facts = [
    { name: 'Paid, less refunds', value: money(({ net_cents }) => net_cents) },
    { name: 'To artists', value: money(({ net_cents, owner_cents }) => net_cents - owner_cents) },
    { name: 'Owner’s share', value: money(({ owner_cents }) => owner_cents) },
    { name: 'Paying members', value: statement ? formatCount(statement.paying) : '–' },
  ]
  return (
    <>
      <p className={styles.state}>
        <StatementState statement={statement} />
      </p>
      <dl className={styles.totals}>
        {facts.map(({ name, value }) => (
          <div key={name} className={styles.fact}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

interface ArtistTableProps {
  statement: UseQueryResult<Statement>
  onPage: (page: number) => void
}

function ArtistTable({ statement, onPage }: ArtistTableProps) {
  const { data } = statement
  return (
    <DataTable
      label="Artists"
      stacked
      query={statement}
      failedTitle="Failed to load the statement"
      columns={['Artist', { number: 'Minutes' }, { number: 'Listeners' }, { number: 'Amount' }]}
      empty={
        <EmptyState
          icon={<IconReceipt />}
          title="No shares this month"
          message="No paying member listened to an artist this month."
        />
      }
      footer={data && <PageNote label="Artists" pagination={data.pagination} onChange={onPage} />}
    >
      {(data?.data ?? []).map((line) => (
        <tr key={line.artist_id}>
          <th scope="row">{line.name || 'Deleted artist'}</th>
          <td data-numeric data-label="Minutes">
            {line.minutes.toLocaleString('en', { maximumFractionDigits: 1 })}
          </td>
          <td data-numeric data-label="Listeners">
            {formatCount(line.listeners)}
          </td>
          <td data-numeric data-label="Amount">
            {formatMoney(line.amount_cents, data?.currency ?? '')}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
