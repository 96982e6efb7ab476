// One failed job.
import { IconRefresh, IconTrash } from '#web/base/ui/icons/icons.ts'
import type { FailedJob } from '#contract/admin/admin-system.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { EntityLink } from '../shared/entity-link.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { jobLabel } from './job-labels.ts'
import styles from './system-screen.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export interface FailedJobRowProps {
  job: FailedJob
  isRetrying: boolean
  onRetry: () => void
  onDiscard: () => void
}

export function FailedJobRow({ job, isRetrying, onRetry, onDiscard }: FailedJobRowProps) {
  const name = job.track_title ? `${jobLabel(job.job)}: ${job.track_title}` : jobLabel(job.job)
  return (
    <tr>
      <th scope="row">
        {job.track_id && job.track_title ? (
          <>
            {jobLabel(job.job)}:{' '}
            <EntityLink entity="track" entityKey={job.track_id} name={job.track_title} />
          </>
        ) : (
          name
        )}
      </th>
      <td data-label="Error" data-full className={styles.error}>
        {job.error}
        {job.tool_log && (
          <details className={styles.log}>
            <summary>ffmpeg output</summary>
            <pre tabIndex={0}>{job.tool_log}</pre>
          </details>
        )}
      </td>
      <td data-label="When">
        <time dateTime={job.failed_at}>{formatMoment(job.failed_at)}</time>
        <br />
        after {job.tries} {job.tries === 1 ? 'attempt' : 'attempts'}
      </td>
      <td className={textStyles.noWrap}>
        <IconButton
          size="small"
          label={`Retry ${name}`}
          data-control="retry"
          busy={isRetrying}
          onClick={onRetry}
        >
          <IconRefresh />
        </IconButton>
        <IconButton
          size="small"
          variant="danger"
          label={`Discard ${name}`}
          data-control="discard"
          onClick={onDiscard}
        >
          <IconTrash />
        </IconButton>
      </td>
    </tr>
  )
}
