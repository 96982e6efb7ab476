// /admin/audit: lists all audited changes, with who made each change and when. Read-only.
import { IconDownload, IconHistory } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { exportAuditLog, listAuditLog, type AuditEntry } from '#contract/admin/admin-audit.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Pagination } from '../../base/ui/lists/pagination.tsx'
import { formatCount } from '../../base/format/format-duration.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { CopyId } from '../shared/copy-id.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { downloadFile } from '../shared/format/download-file.ts'
import { formatFileTimestamp, formatMoment } from '../shared/format/format-moment.ts'
import { useExistingPage } from '../shared/lists/use-url-filters.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { AuditActorName, AuditSubjectName } from './audit-names.tsx'
import { AuditEntryDialog } from './audit-entry-dialog.tsx'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { useAuditFilters, useAuditLog } from './audit-queries.ts'
import styles from './audit-screen.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function AuditScreen() {
  const filters = useAuditFilters()
  const entries = useAuditLog(filters.query, filters.page)
  useExistingPage(filters, entries)
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const exporting = useExportAuditLog(filters.query)
  const pagination = entries.data?.pagination
  return (
    <AdminPage
      title="Audit Log"
      note={pagination ? formatCount(pagination.total, 'entry', 'entries') : '…'}
      actions={
        <Button
          icon={<IconDownload />}
          busy={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          Export CSV
        </Button>
      }
    >
      <AuditFilterBar
        // The Back button can change the filters in the URL. The key then resets the form to them.
        key={JSON.stringify(filters.values)}
        values={filters.values}
        onApply={filters.change}
      />
      <DataTable
        label="Audit log"
        stacked
        query={entries}
        failedTitle="Failed to load audit logs"
        columns={['Timestamp', 'Actor', 'Person', 'Action', 'Entity', 'Entity ID', 'Item']}
        empty={<EmptyState icon={<IconHistory />} title="No audit logs found" />}
        footer={
          pagination &&
          pagination.total_pages > 1 && (
            <span className={styles.pages}>
              <Pagination
                label="Audit log"
                page={pagination.page}
                totalPages={pagination.total_pages}
                onChange={filters.setPage}
              />
            </span>
          )
        }
      >
        {(entries.data?.data ?? []).map((entry) => (
          <AuditRow key={entry.id} entry={entry} onOpen={() => setShown(entry)} />
        ))}
      </DataTable>
      <AuditEntryDialog entry={shown} onClose={() => setShown(null)} />
    </AdminPage>
  )
}

function useExportAuditLog(query: ReturnType<typeof useAuditFilters>['query']) {
  return useAdminMutation({
    async run() {
      // Request the list with the same filters first, so that an error is shown. An error of the browser's download
      // can't be.
      await call(listAuditLog, { query: { ...query, page_size: 1 } })
      const name = `audit-log-${formatFileTimestamp(new Date())}.csv`
      await downloadFile(exportAuditLog.path, query, name)
    },
    refresh: [],
    done: 'Audit log exported successfully',
    failed: 'Failed to download audit log',
  })
}

function AuditRow({ entry, onOpen }: { entry: AuditEntry; onOpen: () => void }) {
  return (
    <tr>
      <th scope="row" className={textStyles.noWrap}>
        <button
          type="button"
          className={styles.open}
          aria-label={`Show changes, ${formatMoment(entry.created_at)}`}
          data-tooltip="Show changes"
          onClick={onOpen}
        >
          <time dateTime={entry.created_at}>{formatMoment(entry.created_at)}</time>
        </button>
      </th>
      <td data-label="Actor">{entry.actor_id ? <CopyId id={entry.actor_id} /> : 'System'}</td>
      <td data-label="Person" className={styles.name}>
        <AuditActorName entry={entry} />
      </td>
      <td data-label="Action">{entry.action}</td>
      <td data-label="Entity">{entry.entity}</td>
      <td data-label="Entity ID">{entry.entity_id ? <CopyId id={entry.entity_id} /> : '-'}</td>
      <td data-label="Item" className={styles.name}>
        <AuditSubjectName entry={entry} />
      </td>
    </tr>
  )
}
