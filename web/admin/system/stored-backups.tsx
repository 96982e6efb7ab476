// Lists the backups that are stored in the destination set by BACKUP_TO.
import { IconAlertTriangle, IconDatabase, IconDownload } from '#web/base/ui/icons/icons.ts'
import {
  downloadBackup,
  type BackupStatus,
  type StoredBackups,
} from '#contract/admin/admin-system.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Badge, type BadgeProps } from '../../base/ui/display/badge.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { downloadFile } from '../shared/format/download-file.ts'
import { formatBytes } from '../shared/format/format-bytes.ts'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useStoredBackups } from './system-queries.ts'
import styles from './system-screen.module.css'
import { SystemTable } from './system-table.tsx'
import textStyles from '../../base/ui/layout/text.module.css'

type StoredBackup = StoredBackups['data'][number]

const states: Record<StoredBackup['state'], { tone: BadgeProps['tone']; stateLabel: string }> = {
  complete: { tone: 'success', stateLabel: 'Complete' },
  incomplete: { tone: 'warning', stateLabel: 'Files missing' },
  unreadable: { tone: 'danger', stateLabel: 'Unreadable' },
}

export function StoredBackupTable({ backup }: { backup: BackupStatus }) {
  const backups = useStoredBackups(backup)
  if (!backups.data) {
    return (
      <section aria-busy={backups.isPending}>
        <div className={styles.head}>
          <h2 className={styles.heading}>Backups</h2>
        </div>
        {backups.error ? (
          <ErrorState
            title="Failed to load the backups"
            message={errorText(backups.error)}
            busy={backups.isFetching}
            onRetry={() => void backups.refetch()}
          />
        ) : (
          <Skeleton height="8rem" />
        )}
      </section>
    )
  }
  const { data, problem } = backups.data
  return (
    <SystemTable
      title="Backups"
      stacked
      columns={['Created', 'Size', 'State', 'Encryption', 'Actions']}
      empty={
        <p
          className={styles.none}
          data-open={problem === null || undefined}
          data-problem={problem !== null || undefined}
        >
          {problem === null ? (
            <>
              <IconDatabase aria-hidden="true" /> No backups in {backup.target} yet
            </>
          ) : (
            <>
              <IconAlertTriangle aria-hidden="true" /> {problem}
            </>
          )}
        </p>
      }
      footer={
        data.length > 0 &&
        `In ${backup.target}. Files shared by several backups count towards each.`
      }
    >
      {data.map((stored) => (
        <StoredBackupRow key={stored.name} stored={stored} />
      ))}
    </SystemTable>
  )
}

function StoredBackupRow({ stored }: { stored: StoredBackup }) {
  const { name, created_at, byte_size, is_encrypted } = stored
  const { tone, stateLabel } = states[stored.state]
  const backupName = created_at ? formatMoment(created_at) : name
  const download = useAdminMutation({
    run: async () => {
      const path = downloadBackup.path.replace(':name', encodeURIComponent(name))
      await downloadFile(path, {}, `velour-backup-${name}.tar${is_encrypted ? '.age' : ''}`)
    },
    refresh: [],
    done: 'Download started',
    failed: 'Failed to download the backup',
  })
  return (
    <tr>
      <th scope="row">{backupName}</th>
      <td data-label="Size">{byte_size === null ? '–' : formatBytes(byte_size)}</td>
      <td data-label="State">
        <Badge tone={tone}>{stateLabel}</Badge>
      </td>
      <td data-label="Encryption">{is_encrypted ? 'Encrypted' : 'Not encrypted'}</td>
      <td className={textStyles.noWrap}>
        {stored.state !== 'unreadable' && (
          <IconButton
            size="small"
            label={`Download the backup from ${backupName}`}
            data-control="download"
            busy={download.isPending}
            onClick={() => download.mutate()}
          >
            <IconDownload />
          </IconButton>
        )}
      </td>
    </tr>
  )
}
