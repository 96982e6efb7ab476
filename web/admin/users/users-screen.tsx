// /admin/users: all accounts, with role and plan.
import { IconDownload, IconUserPlus, IconUsers } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { storedRoles } from '#contract/plans.ts'
import type { BulkChange } from '#contract/admin/admin-bulk.ts'
import { exportUsers, listUsers } from '#contract/admin/admin-users.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { formatCount } from '../../base/format/format-duration.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { PageCheckbox } from '../shared/lists/row-checkboxes.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { downloadFile } from '../shared/format/download-file.ts'
import { formatFileTimestamp } from '../shared/format/format-moment.ts'
import { PageNote } from '../shared/lists/page-note.tsx'
import { PeopleBar } from '../shared/lists/people-bar.tsx'
import { tierOptions } from '../people/role-and-plan.tsx'
import { PickMenu } from '../shared/lists/pick-menu.tsx'
import { SortColumn } from '../shared/lists/sort-column.tsx'
import { titleCase } from '../shared/format/title-case.ts'
import { useExistingPage } from '../shared/lists/use-url-filters.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useSelection, type RowSelection } from '../shared/lists/use-selection.ts'
import { AddUserDialog } from './add-user-dialog.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { UserFilterBar } from './user-filter-bar.tsx'
import { useUserFilters, useUsers } from './user-queries.ts'
import { UserRow } from './user-row.tsx'

export function UsersScreen() {
  const filters = useUserFilters()
  const users = useUsers(filters.query, filters.page)
  useExistingPage(filters, users)
  const [adding, setAdding] = useState(false)
  const exporting = useExportUsers(filters.matching)
  const total = users.data?.pagination.total
  const rows = users.data?.data ?? []
  const ids = rows.map(({ id }) => id)
  const listKey = JSON.stringify([filters.query, filters.page])
  const selection = useSelection(ids, total ?? 0, listKey)
  return (
    <AdminPage
      title="User Management"
      note={total === undefined ? '…' : formatCount(total, 'user', 'users')}
      actions={
        <PageActions
          isExporting={exporting.isPending}
          onExport={() => exporting.mutate([])}
          onAdd={() => setAdding(true)}
        />
      }
    >
      <OpenInvitations />
      <UserFilterBar
        // The Back button can change the filters in the URL. The key then resets the form to them.
        key={JSON.stringify(filters.values)}
        values={filters.values}
        onApply={(values) => filters.change(values)}
      />
      <DataTable
        label="Users"
        columnCount={7}
        stacked
        query={users}
        failedTitle="Failed to load users"
        head={<UserColumns {...{ ids, selection, filters }} />}
        empty={
          <EmptyState
            icon={<IconUsers />}
            title="No users found"
            message="No one matches this search and these filters."
          />
        }
        footer={
          users.data && (
            <PageNote label="Users" pagination={users.data.pagination} onChange={filters.setPage} />
          )
        }
      >
        {rows.map((user) => (
          <UserRow key={user.id} user={user} selection={selection} />
        ))}
      </DataTable>
      <PeopleBar
        selection={selection}
        total={total ?? 0}
        matching={{ users: filters.matching, count: total ?? 0 }}
        actions={(openConfirm) => <UserActions openConfirm={openConfirm} />}
        extra={
          <Button
            size="small"
            icon={<IconDownload />}
            busy={exporting.isPending}
            onClick={() => exporting.mutate(selection.isAll ? [] : [...selection.chosen])}
          >
            Export Selected
          </Button>
        }
      />
      <AddUserDialog open={adding} onClose={() => setAdding(false)} />
    </AdminPage>
  )
}

interface PageActionsProps {
  isExporting: boolean
  onExport: () => void
  onAdd: () => void
}

function PageActions({ isExporting, onExport, onAdd }: PageActionsProps) {
  return (
    <>
      <Button icon={<IconDownload />} busy={isExporting} onClick={onExport}>
        Export CSV
      </Button>
      <Button variant="primary" icon={<IconUserPlus />} onClick={onAdd}>
        Add User
      </Button>
    </>
  )
}

/** Exports the people with the given ids, or all that match the filters if there are no ids. */
function useExportUsers(matching: ReturnType<typeof useUserFilters>['matching']) {
  return useAdminMutation<readonly string[]>({
    async run(ids) {
      // Request the list with the same filters first, so that an error is shown. An error of the browser's download
      // can't be.
      await call(listUsers, { query: { ...matching, page_size: 1 } })
      const name = `users-export-${formatFileTimestamp(new Date())}.csv`
      const chosen = ids.length > 0 && { ids: ids.join(',') }
      await downloadFile(exportUsers.path, chosen || matching, name)
    },
    refresh: [],
    failed: 'Failed to export users',
  })
}

interface UserColumnsProps {
  ids: readonly string[]
  selection: RowSelection
  filters: ReturnType<typeof useUserFilters>
}

function UserColumns({ ids, selection, filters }: UserColumnsProps) {
  return (
    <>
      <PageCheckbox label="Select all people on this page" ids={ids} selection={selection} />
      <SortColumn name="email" filters={filters}>
        Email
      </SortColumn>
      <SortColumn name="display_name" filters={filters} wide>
        Name
      </SortColumn>
      <SortColumn name="role" filters={filters}>
        Role
      </SortColumn>
      <SortColumn name="subscription_tier" filters={filters}>
        Subscription
      </SortColumn>
      <SortColumn name="created_at" filters={filters} wide>
        Joined
      </SortColumn>
      <th scope="col">Actions</th>
    </>
  )
}

function UserActions({ openConfirm }: { openConfirm: (change: BulkChange) => void }) {
  return (
    <>
      <PickMenu
        label="Role"
        options={storedRoles.map((value) => ({ value, label: titleCase(value) }))}
        onPick={(role) => openConfirm({ kind: 'role', role })}
      />
      <PickMenu
        label="Plan"
        options={tierOptions}
        onPick={(tier) => openConfirm({ kind: 'plan', tier })}
      />
      <Button size="small" onClick={() => openConfirm({ kind: 'unban' })}>
        Unban
      </Button>
      <Button size="small" variant="danger" onClick={() => openConfirm({ kind: 'ban' })}>
        Ban
      </Button>
    </>
  )
}
