// /admin/support: lists messages from members. Those that wait for a reply come first, yearly members before others.
import { supportStates } from '#contract/support.ts'
import type { InboxRow } from '#contract/admin/service/admin-support.ts'
import { IconMessages } from '#web/base/ui/icons/icons.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { formatShortMoment } from '../shared/format/format-moment.ts'
import { SearchAndState } from '../shared/lists/search-and-state.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useExistingPage, useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { PriorityBadge, stateLabels, SupportStateBadge } from './support-badges.tsx'
import { useInbox } from './support-queries.ts'
import styles from './support-screen.module.css'
import { ThreadDialog } from './thread-dialog.tsx'

const names = ['q', 'state', 'message'] as const

export function SupportScreen() {
  const filters = useUrlFilters(names)
  const { q, state: wanted, message } = filters.values
  const state = supportStates.find((one) => one === wanted)
  const inbox = useInbox({ ...(q && { q }), ...(state && { state }), page: filters.page })
  useExistingPage(filters, inbox)
  const open = inbox.data?.open_count
  const choose = (id: string) => filters.change({ message: id }, { replace: true })
  return (
    <AdminPage
      title="Messages"
      note={open === undefined ? '…' : `${formatCount(open, 'message', 'messages')} open`}
    >
      <SearchAndState
        what="messages"
        placeholder="Subject, text, name or email"
        labels={stateLabels}
        filters={filters}
      />
      <DataTable
        label="Messages"
        stacked
        tall
        query={inbox}
        failedTitle="Failed to load the messages"
        columns={['Message', 'From', 'Plan', 'State', 'Last message']}
        empty={
          <EmptyState
            icon={<IconMessages />}
            title="No messages found"
            message={
              q || state
                ? 'Nothing matches this search and these filters.'
                : 'Members can message you in their profile, under Help.'
            }
          />
        }
        footer={
          inbox.data && (
            <PageNote
              label="Messages"
              pagination={inbox.data.pagination}
              onChange={filters.setPage}
            />
          )
        }
      >
        {(inbox.data?.data ?? []).map((row) => (
          <MessageRow key={row.id} row={row} onOpen={() => choose(row.id)} />
        ))}
      </DataTable>
      {message && <ThreadDialog key={message} id={message} onClose={() => choose('')} />}
    </AdminPage>
  )
}

function MessageRow({ row, onOpen }: { row: InboxRow; onOpen: () => void }) {
  const { subject, excerpt, user, priority, state, last_message_at, message_count } = row
  return (
    <tr>
      <th scope="row" className={styles.message}>
        <button type="button" className={styles.open} onClick={onOpen}>
          {subject}
        </button>
        <span className={styles.excerpt}>
          {message_count > 1 && `${message_count} messages · `}
          {excerpt}
        </span>
      </th>
      <td data-label="From">
        <PersonLink id={user.id} email={user.email} name={user.display_name} />
      </td>
      <td data-label="Plan">
        <PriorityBadge priority={priority} />
      </td>
      <td data-label="State">
        <SupportStateBadge state={state} />
      </td>
      <td data-label="Last message">
        <time dateTime={last_message_at}>{formatShortMoment(last_message_at)}</time>
      </td>
    </tr>
  )
}
