// Card about damaged files: when files were last checked, which are damaged, and a button to repair them.
import { IconCircleCheck, IconClock, IconRefresh } from '#web/base/ui/icons/icons.ts'
import { repairFiles, type SystemStatus } from '#contract/admin/admin-system.ts'
import type { DamagedFile } from '#contract/fields/stored-files.ts'
import { call } from '../../base/api/api.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { EntityLink } from '../shared/entity-link.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './system-screen.module.css'
import { SystemTable } from './system-table.tsx'

const problemLabels: Record<DamagedFile['problem'], string> = {
  missing: 'Missing',
  wrong_size: 'Wrong size',
  wrong_bytes: 'Corrupted content',
}
const kindLabels: Record<DamagedFile['kind'], string> = {
  source: 'Recording',
  standard: 'Standard quality',
  high: 'High quality',
  preview: 'Preview',
  cover: 'Cover',
  avatar: 'Profile picture',
  evidence: 'Evidence file',
  branding: 'Logo or icon',
}

export function DamagedFiles({ last_check, damaged }: SystemStatus['files']) {
  const { total, repairable, data } = damaged
  const repair = useAdminMutation<void, { count: number }>({
    run: () => call(repairFiles, {}),
    refresh: ['system', 'tracks'],
    done: ({ count }) =>
      count === 1
        ? '1 file is being repaired'
        : `${count.toLocaleString('en')} files are being repaired`,
    failed: 'Failed to repair the files',
  })
  return (
    <SystemTable
      title="Damaged files"
      stacked
      actions={
        repairable > 0 && (
          <Button icon={<IconRefresh />} busy={repair.isPending} onClick={() => repair.mutate()}>
            Process All Again
          </Button>
        )
      }
      columns={['Belongs to', 'File', 'Problem', 'Repair']}
      empty={
        <p className={styles.none} data-open={!last_check?.finished_at || undefined}>
          {last_check?.finished_at ? (
            <IconCircleCheck aria-hidden="true" />
          ) : (
            <IconClock aria-hidden="true" />
          )}{' '}
          {describeCheck(last_check)}
        </p>
      }
      footer={
        total > 0 &&
        `${total > data.length ? `${data.length} of ${total.toLocaleString('en')}. ` : ''}${describeCheck(last_check)}`
      }
    >
      {data.map((file) => (
        <tr key={file.storage_key}>
          <th scope="row">
            {file.track_id && file.title ? (
              <EntityLink entity="track" entityKey={file.track_id} name={file.title} />
            ) : (
              (file.title ?? 'A person')
            )}
          </th>
          <td data-label="File">{kindLabels[file.kind]}</td>
          <td data-label="Problem">
            <Badge tone="danger">{problemLabels[file.problem]}</Badge>
          </td>
          <td data-label="Repair" data-full>
            {describeRepair(file)}
          </td>
        </tr>
      ))}
    </SystemTable>
  )
}

function describeRepair({ can_repair, kind }: DamagedFile): string {
  const isPicture = kind === 'cover' || kind === 'avatar'
  if (can_repair) return isPicture ? 'From another size' : 'From the recording'
  return isPicture ? 'Upload the image again' : 'Upload the recording again'
}

function describeCheck(check: SystemStatus['files']['last_check']): string {
  if (!check) return 'The files have not been checked yet. Checks run every night.'
  if (!check.finished_at) return `The first check started ${formatMoment(check.started_at)}.`
  const orphans =
    check.orphan_count > 0
      ? ` ${check.orphan_count.toLocaleString('en')} stored files are not used.`
      : ''
  return `${check.checked_count.toLocaleString('en')} files checked, ${formatMoment(check.finished_at)}.${orphans}`
}
