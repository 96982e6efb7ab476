// Addresses that get no news, because the mail server has refused them several times in a row.
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
      <h2 className={styles.heading}>Addresses without news</h2>
      <p className={styles.note}>
        {`After ${refusalsToSuspend} permanent refusals or bounces in a row nothing more is sent to an address, apart from mails about the account.`}
      </p>
      <DataTable
        label="Addresses without news"
        stacked
        tall
        hasDensitySwitch={false}
        query={list}
        failedTitle="Failed to load the addresses"
        columns={['Address', 'Answer of the mail server', 'Since', { number: 'Actions' }]}
        empty={<EmptyState icon={<IconMailForward />} title="All addresses get their news" />}
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
                aria-label={`Send to ${address.email} again`}
                disabled={resuming.isPending}
                onClick={() => resuming.mutate(address)}
              >
                Send again
              </Button>
            </td>
          </tr>
        ))}
      </DataTable>
    </div>
  )
}
