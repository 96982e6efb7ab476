// /admin/system: status and environment of the service, refreshed while the screen is open.
import { errorText } from '../../base/api/show-error.ts'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { DamagedFiles } from './damaged-files.tsx'
import { FailedJobs } from './failed-jobs.tsx'
import { InstanceTable } from './instance-table.tsx'
import { JobTable } from './job-table.tsx'
import { LeaveDemoNote } from './leave-demo-note.tsx'
import { StoredBackupTable } from './stored-backups.tsx'
import { SystemAlerts } from './system-alerts.tsx'
import { SystemCards } from './system-cards.tsx'
import { useSystem } from './system-queries.ts'
import styles from './system-screen.module.css'

export function SystemScreen() {
  const system = useSystem()
  const { data, dataUpdatedAt } = system
  return (
    <AdminPage title="System" note="Updates automatically while this screen is open.">
      <LeaveDemoNote />
      {data ? (
        <div className={styles.sections}>
          <SystemAlerts alerts={data.alerts} />
          <SystemCards status={data} now={dataUpdatedAt} />
          <FailedJobs {...data.failed_jobs} />
          <DamagedFiles {...data.files} />
          {data.backup.target !== null && <StoredBackupTable backup={data.backup} />}
          <JobTable queue={data.queue} />
          <InstanceTable instances={data.instances} now={dataUpdatedAt} />
        </div>
      ) : system.error ? (
        <ErrorState
          title="Failed to load the system status"
          message={errorText(system.error)}
          busy={system.isFetching}
          onRetry={() => void system.refetch()}
        />
      ) : (
        <div className={styles.sections} aria-busy="true">
          <Skeleton height="19rem" />
          <Skeleton height="16rem" />
        </div>
      )}
    </AdminPage>
  )
}
