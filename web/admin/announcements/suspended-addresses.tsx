// Addresses that no longer receive announcements, because the mail server rejected several emails in a row.
import { useState } from 'react'
import { refusalsToSuspend } from '#contract/news.ts'
import { IconMailForward } from '#web/base/ui/icons/icons.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Pagination } from '../../base/ui/lists/pagination.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PersonLink } from '../shared/person-link.tsx'
import { useResumeAddress, useSuspendedAddresses } from './announcement-queries.ts'
import styles from './announcements-screen.module.css'

export function SuspendedAddresses() {
  const [page, setPage] = useState(1)
  const list = useSuspendedAddresses(page)
  const resuming = useResumeAddress()
  const pagination = list.data?.pagination
  return (
    <div>
      <h2 className={styles.heading}>Suspended addresses</h2>
      <p className={styles.note}>
        {`After ${refusalsToSuspend} rejected or bounced emails in a row, an address only receives emails about the account.`}
      </p>
      <DataTable
        label="Suspended addresses"
        stacked
        tall
        hasDensitySwitch={false}
        query={list}
        failedTitle="Failed to load the addresses"
        columns={['Address', 'Mail server response', 'Since', { number: 'Actions' }]}
        empty={<EmptyState icon={<IconMailForward />} title="No suspended addresses" />}
        footer={
          pagination && (
            <>
              <span>{formatCount(pagination.total, 'address', 'addresses')}</span>
              {pagination.total_pages > 1 && (
                <Pagination
                  label="Addresses"
                  page={pagination.page}
                  totalPages={pagination.total_pages}
                  onChange={setPage}
                />
              )}
            </>
          )
        }
      >
        {(list.data?.data ?? []).map((address) => (
          <tr key={address.user_id}>
            <th scope="row" className={styles.subject}>
              <PersonLink id={address.user_id} email={address.email} />
            </th>
            <td data-label="Answer" className={styles.reason}>
              {address.reason}
            </td>
            <td data-label="Since">{formatMoment(address.suspended_at)}</td>
            <td data-numeric>
              <Button
                size="small"
                aria-label={`Resume emails to ${address.email}`}
                disabled={resuming.isPending}
                onClick={() => resuming.mutate(address)}
              >
                Resume
              </Button>
            </td>
          </tr>
        ))}
      </DataTable>
    </div>
  )
}
