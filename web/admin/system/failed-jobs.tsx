// Lists background jobs that failed on every attempt, with the error and buttons to retry or discard them.
import { IconCircleCheck, IconRefresh } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import {
  discardFailedJob,
  retryFailedJob,
  retryFailedJobs,
  type FailedJob,
  type SystemStatus,
} from '#contract/admin/admin-system.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { FailedJobRow } from './failed-job-row.tsx'
import { jobLabel } from './job-labels.ts'
import styles from './system-screen.module.css'
import { SystemTable } from './system-table.tsx'

export function FailedJobs({ total, data }: SystemStatus['failed_jobs']) {
  const [discarding, setDiscarding] = useState<FailedJob | null>(null)
  const shown = useLast(discarding)
  const retry = useAdminMutation<FailedJob>({
    run: ({ id }) => call(retryFailedJob, { params: { id } }),
    refresh: ['system', 'tracks'],
    done: 'Job queued again',
    failed: 'Failed to retry the job',
  })
  const retryAll = useAdminMutation<void, { count: number }>({
    run: () => call(retryFailedJobs, {}),
    refresh: ['system', 'tracks'],
    done: ({ count }) =>
      count === 1 ? '1 job queued again' : `${count.toLocaleString('en')} jobs queued again`,
    failed: 'Failed to retry the jobs',
  })
  const discard = useAdminMutation<FailedJob>({
    run: ({ id }) => call(discardFailedJob, { params: { id } }),
    refresh: ['system'],
    done: 'Job discarded',
    onDone: () => setDiscarding(null),
    failed: 'Failed to discard the job',
  })
  return (
    <>
      <SystemTable
        title="Failed jobs"
        stacked
        actions={
          total > 0 && (
            <Button
              icon={<IconRefresh />}
              busy={retryAll.isPending}
              onClick={() => retryAll.mutate()}
            >
              Retry All
            </Button>
          )
        }
        columns={['Job', 'Error', 'When', 'Actions']}
        empty={
          <p className={styles.none}>
            <IconCircleCheck aria-hidden="true" /> No failed jobs
          </p>
        }
        footer={total > data.length && `The newest ${data.length} of ${total.toLocaleString('en')}`}
      >
        {data.map((job) => (
          <FailedJobRow
            key={job.id}
            job={job}
            isRetrying={retry.isPending && retry.variables.id === job.id}
            onRetry={() => retry.mutate(job)}
            onDiscard={() => setDiscarding(job)}
          />
        ))}
      </SystemTable>
      <ConfirmDialog
        open={discarding !== null}
        title="Discard this job?"
        message={`${shown ? jobLabel(shown.job) : ''}: the job will not run.`}
        confirmLabel="Discard"
        busy={discard.isPending}
        onConfirm={() => discarding && discard.mutate(discarding)}
        onCancel={() => setDiscarding(null)}
      />
    </>
  )
}
