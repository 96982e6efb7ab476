// /admin/users: who is here, what they may do, and what they pay for.
import { IconDownload, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { exportUsers, listUsers } from '#contract/admin-users.ts'
import { call } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AdminPage } from '../admin-page.tsx'
import { DataTable } from '../data-table.tsx'
import { downloadFile } from '../download-file.ts'
import { fileTimestamp } from '../format-moment.ts'
import { PageNote } from '../page-note.tsx'
import { useExistingPage } from '../use-url-filters.ts'
import { useAct } from '../use-act.ts'
import { AddUserDialog } from './add-user-dialog.tsx'
import { UserFilterBar } from './user-filter-bar.tsx'
import { useUserFilters, useUsers } from './user-queries.ts'
import { UserRow } from './user-row.tsx'

export function UsersScreen() {
  const filters = useUserFilters()
  const users = useUsers(filters.query, filters.page)
  useExistingPage(filters, users)
  const [adding, setAdding] = useState(false)
  const exporting = useAct({
    async run() {
      // Whoever may see the list gets the file, which the browser fetches by itself.
      await call(listUsers, { query: { ...filters.query, page_size: 1 } })
      const name = `users-export-${fileTimestamp(new Date())}.csv`
      downloadFile(exportUsers.path, filters.query, name)
    },
    refresh: [],
    failed: 'Failed to export users',
  })
  const total = users.data?.pagination.total
  return (
    <AdminPage
      title="User Management"
      note={total === undefined ? '…' : `${total.toLocaleString('en')} users`}
      actions={
        <>
          <Button
            icon={<IconDownload />}
            busy={exporting.isPending}
            onClick={() => exporting.mutate()}
          >
            Export CSV
          </Button>
          <Button variant="primary" icon={<IconUserPlus />} onClick={() => setAdding(true)}>
            Add User
          </Button>
        </>
      }
    >
      <UserFilterBar
        // The back button changes the filters, and the form with them.
        key={JSON.stringify(filters.values)}
        values={filters.values}
        onApply={filters.change}
      />
      <DataTable
        label="Users"
        columnCount={6}
        stacked
        query={users}
        failedTitle="Failed to load users"
        head={
          <>
            <th scope="col">Email</th>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Subscription</th>
            <th scope="col">Joined</th>
            <th scope="col">Actions</th>
          </>
        }
        empty={
          <EmptyState
            icon={<IconUsers />}
            title="No users found"
            message="Nobody matches this search and these filters."
          />
        }
        footer={
          users.data && (
            <PageNote label="Users" pagination={users.data.pagination} onChange={filters.setPage} />
          )
        }
      >
        {(users.data?.data ?? []).map((user) => (
          <UserRow key={user.id} user={user} />
        ))}
      </DataTable>
      <AddUserDialog open={adding} onClose={() => setAdding(false)} />
    </AdminPage>
  )
}
