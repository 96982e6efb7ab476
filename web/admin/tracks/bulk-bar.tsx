// Bar at the bottom of the window with actions for the selected tracks.
import { IconChecklist, IconLink, IconRelease, IconTrash, IconX } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { restoreTracks, updateAdminTrack, type AdminTrack } from '#contract/admin/admin-tracks.ts'
import { submitReview } from '#contract/creators/reviews.ts'
import { checkConfirmation } from '#contract/sessions.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { formatCount } from '../../base/format/format-duration.ts'
import { ScheduleButton, type ScheduleBody } from '../availability/schedule-button.tsx'
import progressStyles from '../shared/lists/bulk-progress.module.css'
import bar from '../shared/lists/selection-bar.module.css'
import { useBulkRun, type BulkRun, type BulkRunTexts } from '../shared/lists/use-bulk-run.ts'
import { useMay } from '../../base/session/use-may.ts'
import { AssignButton } from '../owners/assign-button.tsx'
import { showReason } from '../shared/admin-failure.ts'
import styles from './bulk-bar.module.css'
import { GroupDialog } from './group-dialog.tsx'
import { applyLabelChanges, type LabelChanges } from './change-labels.ts'
import { LabelsDialog } from './labels-dialog.tsx'
import { useLinkVersions } from '../uploads/version-proposals.tsx'
import { deleteTrack, setPublished, useCategoryOptions } from '../track-data/track-queries.ts'
import type { TrackVariant } from './track-variant.ts'

export interface BulkBarProps {
  rows: readonly AdminTrack[]
  variant: TrackVariant
  /** Called after an action that succeeded for every selected track. */
  onDone: () => void
}

export function BulkBar({ rows, variant, onDone }: BulkBarProps) {
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const { share, run } = useBulkRun(kind, onDone)
  const ids = rows.map(({ id }) => id)
  const isBusy = share !== undefined
  const count = formatCount(rows.length, 'track', 'tracks')

  const { publish, submit, schedule, setCategory, changeLabels } = createChanges(
    ids,
    run,
    variant.updateFailed,
  )

  /**
   * Asks for the password first if it is needed, then deletes the tracks. Deletes nothing if that dialog is canceled.
   */
  async function deleteAll() {
    try {
      await call(checkConfirmation, {})
    } catch (error) {
      return variant.deleteFailed(error)
    }
    await run(ids, deleteTrack, {
      done: 'deleted',
      failed: variant.deleteFailed,
      undo: (deleted) => ({
        restore: () => call(restoreTracks, { body: { ids: deleted } }),
        done: `${formatCount(deleted.length, 'track', 'tracks')} restored`,
        failed: 'Failed to restore tracks',
      }),
    })
  }

  return (
    <div className={bar.bar} data-lower-bar role="region" aria-label="Selected tracks">
      <span className={bar.count} role="status">
        {count} selected
      </span>
      {isBusy ? (
        <span className={progressStyles.progress}>
          <ProgressBar label="Updating the selected tracks" value={share} />
        </span>
      ) : (
        <BulkActions
          rows={rows}
          onPublish={(isPublished) => void publish(isPublished)}
          onSubmit={() => void submit()}
          what={count}
          onSchedule={(body) => void schedule(body)}
          onSetCategory={(category) => void setCategory(category)}
          onChangeLabels={(changes) => void changeLabels(rows, changes)}
          onLinked={onDone}
          onDelete={() => setConfirmOpen(true)}
        />
      )}
      <IconButton label="Clear selection" disabled={isBusy} onClick={onDone}>
        <IconX />
      </IconButton>
      <ConfirmDialog
        open={isConfirmOpen}
        title={`Delete ${count}`}
        message={
          rows.length === 1
            ? 'Are you sure you want to delete this track?'
            : 'Are you sure you want to delete these tracks?'
        }
        confirmLabel="Delete"
        onCancel={() => setConfirmOpen(false)}
        onConfirm={() => {
          setConfirmOpen(false)
          void deleteAll()
        }}
      />
    </div>
  )
}

/** Returns the functions that set the same value on every selected track. */
function createChanges(ids: string[], run: BulkRun['run'], failed: BulkRunTexts['failed']) {
  const publish = (isPublished: boolean) =>
    run(ids, (id) => setPublished(id, isPublished), {
      done: isPublished ? 'published' : 'unpublished',
      failed,
    })
  const submit = () =>
    run(ids, (id) => call(submitReview, { body: { track_id: id, note: '' } }), {
      done: 'sent for review',
      failed: (error) => showReason(error, 'Failed to send tracks for review'),
    })
  const schedule = (body: ScheduleBody) =>
    run(
      ids,
      (id) => call(updateAdminTrack, { params: { id }, body: { ...body, is_published: false } }),
      { done: 'scheduled', failed },
    )
  const setCategory = (category: string) =>
    run(
      ids,
      (id) =>
        call(updateAdminTrack, {
          params: { id },
          body: { category: category === none ? null : category },
        }),
      { done: 'moved', failed },
    )
  const changeLabels = (rows: readonly AdminTrack[], changes: LabelChanges) => {
    const bodies = new Map(rows.map((track) => [track.id, applyLabelChanges(track, changes)]))
    return run(
      [...bodies].flatMap(([id, body]) => (body ? id : [])),
      (id) => call(updateAdminTrack, { params: { id }, body: bodies.get(id) ?? {} }),
      { done: 'changed', failed },
    )
  }
  return { publish, submit, schedule, setCategory, changeLabels }
}

interface BulkActionsProps {
  rows: readonly AdminTrack[]
  onPublish: (isPublished: boolean) => void
  onSubmit: () => void
  /** The selected tracks, as text: '3 tracks'. */
  what: string
  onSchedule: (body: ScheduleBody) => void
  onSetCategory: (category: string) => void
  onChangeLabels: (changes: LabelChanges) => void
  onLinked: () => void
  onDelete: () => void
}

function BulkActions(props: BulkActionsProps) {
  const { rows, onPublish, onSubmit, what, onSchedule, onSetCategory } = props
  const { onChangeLabels, onLinked, onDelete } = props
  const isEditor = useMay('editor')
  const isAdmin = useMay('admin')
  const [isLabeling, setIsLabeling] = useState(false)
  const linking = useLinkVersions(onLinked)
  const [isGrouping, setIsGrouping] = useState(false)
  const categories = useCategoryOptions()
  return (
    <div className={bar.actions}>
      {isEditor ? (
        <>
          <Button size="small" onClick={() => onPublish(true)}>
            Publish
          </Button>
          <Button size="small" onClick={() => onPublish(false)}>
            Unpublish
          </Button>
          <ScheduleButton what={what} onSchedule={onSchedule} />
        </>
      ) : (
        <Button size="small" icon={<IconChecklist />} onClick={onSubmit}>
          Send for Review
        </Button>
      )}
      <Button size="small" icon={<IconRelease />} onClick={() => setIsGrouping(true)}>
        Group into Release
      </Button>
      <span className={styles.category}>
        <Select
          label="Set Category"
          hideLabel
          placeholder="Set Category"
          disabled={!categories.data}
          options={[{ value: none, label: 'No category' }, ...(categories.data ?? [])]}
          value=""
          onChange={(event) => event.target.value && onSetCategory(event.target.value)}
        />
      </span>
      <Button size="small" onClick={() => setIsLabeling(true)}>
        Categories and Moods
      </Button>
      {isEditor && rows.length > 1 && (
        <Button
          size="small"
          icon={<IconLink />}
          busy={linking.isPending}
          onClick={() => linking.mutate(rows.map(({ id }) => id))}
        >
          Link as Versions
        </Button>
      )}
      {isAdmin && (
        <AssignButton
          items={rows.map(({ id }) => ({ kind: 'track', id }))}
          what={what}
          onDone={onLinked}
        />
      )}
      <Button size="small" variant="danger" icon={<IconTrash />} onClick={onDelete}>
        Delete
      </Button>
      <LabelsDialog
        open={isLabeling}
        tracks={rows}
        onClose={() => setIsLabeling(false)}
        onChange={(changes) => {
          setIsLabeling(false)
          onChangeLabels(changes)
        }}
      />
      <GroupDialog open={isGrouping} tracks={rows} onClose={() => setIsGrouping(false)} />
    </div>
  )
}

/** The option that removes the category. No category's slug has this form. */
const none = ' '

const kind = {
  one: 'track',
  many: 'tracks',
  refresh: ['tracks', 'categories', 'genres', 'playlists', 'reviews'],
} as const
