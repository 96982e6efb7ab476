// Card about backups: the last one, one that is running, and a button to start one.
import { startBackup, type BackupStatus, type SystemStatus } from '#contract/admin/admin-system.ts'
import { call } from '../../base/api/api.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { formatBytes } from '../shared/format/format-bytes.ts'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { SystemCard } from './system-card.tsx'
import { formatUptime } from './format-uptime.ts'
import styles from './system-cards.module.css'

type LastBackup = SystemStatus['last_backup']

export function BackupCard({
  last,
  backup,
  now,
}: {
  last: LastBackup
  backup: BackupStatus
  now: number
}) {
  const start = useAdminMutation({
    run: () => call(startBackup, {}),
    refresh: ['system'],
    done: 'Backup started',
    failed: 'Failed to start the backup',
  })
  return (
    <SystemCard
      title="Last backup"
      value={last ? formatAge(now - Date.parse(last.created_at)) : 'No backup yet'}
      badge={<BackupBadge last={last} backup={backup} />}
      note={
        <>
          {last && (
            <span className={styles.line}>
              {formatMoment(last.created_at)}, {formatBytes(last.byte_size)}, {describeFiles(last)}.
            </span>
          )}
          <BackupPlan last={last} backup={backup} />
          {backup.target !== null && (
            <span className={styles.act}>
              <Button
                size="small"
                busy={start.isPending || backup.running !== null}
                onClick={() => start.mutate()}
              >
                Back Up Now
              </Button>
            </span>
          )}
        </>
      }
    />
  )
}

function BackupBadge({ last, backup }: { last: LastBackup; backup: BackupStatus }) {
  if (backup.is_overdue) return <Badge tone="danger">Overdue</Badge>
  if (last && last.missing_count > 0) return <Badge tone="danger">Incomplete</Badge>
  if (backup.last_run?.result === 'failed') return <Badge tone="danger">Failed</Badge>
  return null
}

function BackupPlan({ last, backup }: { last: LastBackup; backup: BackupStatus }) {
  const { last_run, next_at, running, target } = backup
  if (running) {
    return (
      <span className={styles.line}>
        {running.files_total !== null && (
          <span className={styles.meter} data-level="running" aria-hidden="true">
            <span style={{ scale: `${running.files_done / Math.max(1, running.files_total)} 1` }} />
          </span>
        )}
        <span role="status">{describeProgress(running)}</span>
      </span>
    )
  }
  return (
    <>
      {last_run?.result === 'failed' && (
        <span className={styles.line}>
          <span className={styles.problem}>The last attempt failed:</span> {last_run.error}
        </span>
      )}
      {next_at && (
        <span className={styles.line}>
          Next: {formatMoment(next_at)}, to {target}.
        </span>
      )}
      {!last && target === null && (
        <>
          Create one with <code>npm run backup -- velour-backup.tar</code>
          {', or set '}
          <code>BACKUP_TO</code> to create backups automatically.
        </>
      )}
    </>
  )
}

function describeProgress({
  files_done,
  files_total,
}: NonNullable<BackupStatus['running']>): string {
  if (files_total === null) return 'Backup in progress: database rows.'
  const count = (files: number) => files.toLocaleString('en')
  return `Backup in progress: ${count(files_done)} of ${count(files_total)} files.`
}

function describeFiles({ object_count, missing_count }: NonNullable<LastBackup>): string {
  const files = object_count === 1 ? '1 file' : `${object_count.toLocaleString('en')} files`
  if (missing_count === 0) return files
  return `${files}. ${missing_count.toLocaleString('en')} more were missing from storage`
}

const dayMs = 24 * 3600_000

function formatAge(ms: number): string {
  if (ms < 60_000) return 'Just now'
  return ms < 2 * dayMs ? `${formatUptime(ms)} ago` : `${Math.floor(ms / dayMs)} days ago`
}
