// Bulk actions for selected releases: publish or schedule them with their tracks, or hide them.
import { IconX } from '#web/base/ui/icons/icons.ts'
import {
  publishRelease,
  unpublishRelease,
  updateRelease,
  type AdminRelease,
} from '#contract/admin/admin-releases.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { ScheduleButton } from '../availability/schedule-button.tsx'
import { useMay } from '../../base/session/use-may.ts'
import { AssignButton } from '../owners/assign-button.tsx'
import { showReason } from '../shared/admin-failure.ts'
import progressStyles from '../shared/lists/bulk-progress.module.css'
import bar from '../shared/lists/selection-bar.module.css'
import { useBulkRun } from '../shared/lists/use-bulk-run.ts'

export interface ReleaseBulkBarProps {
  rows: readonly AdminRelease[]
  onClear: () => void
}

const kind = { one: 'release', many: 'releases', refresh: ['releases', 'tracks'] } as const

export function ReleaseBulkBar({ rows, onClear }: ReleaseBulkBarProps) {
  const { share, run } = useBulkRun(kind, onClear)
  const isAdmin = useMay('admin')
  const count = formatCount(rows.length, kind.one, kind.many)
  const ids = rows.map(({ id }) => id)
  const publish = () =>
    run(ids, (id) => call(publishRelease, { params: { id }, body: { publish_tracks: true } }), {
      done: 'published',
      failed: (error) => showReason(error, 'Failed to publish releases'),
    })
  const hide = () =>
    run(ids, (id) => call(unpublishRelease, { params: { id } }), {
      done: 'hidden',
      failed: (error) => showReason(error, 'Failed to hide releases'),
    })
  return (
    <div className={bar.bar} data-lower-bar role="region" aria-label="Selected releases">
      <span className={bar.count} role="status">
        {count} selected
      </span>
      {share === undefined ? (
        <div className={bar.actions}>
          <Button size="small" onClick={() => void publish()}>
            Publish
          </Button>
          <Button size="small" onClick={() => void hide()}>
            Unpublish
          </Button>
          <ScheduleButton
            what={count}
            onSchedule={(body) =>
              void run(
                ids,
                async (id) => {
                  // Unpublish the release first: the server rejects a date for a published one.
                  if (rows.find((row) => row.id === id)?.is_published) {
                    await call(unpublishRelease, { params: { id } })
                  }
                  await call(updateRelease, { params: { id }, body })
                },
                {
                  done: 'scheduled',
                  failed: (error) => showReason(error, 'Failed to schedule releases'),
                },
              )
            }
          />
          {isAdmin && (
            <AssignButton
              items={ids.map((id) => ({ kind: 'release', id }))}
              what={count}
              onDone={onClear}
            />
          )}
        </div>
      ) : (
        <span className={progressStyles.progress}>
          <ProgressBar label="Updating the selected releases" value={share} />
        </span>
      )}
      <IconButton label="Clear selection" disabled={share !== undefined} onClick={onClear}>
        <IconX />
      </IconButton>
    </div>
  )
}
