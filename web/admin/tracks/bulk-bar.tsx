// Bulk actions for the selected tracks, at the bottom edge. Processes a few tracks at a time, shows the progress, and
// reports the first failure at the end.
import { IconLink, IconRelease, IconTrash, IconX } from '#web/base/ui/icons/icons.ts'
import { useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { restoreTracks, updateAdminTrack, type AdminTrack } from '#contract/admin/admin-tracks.ts'
import { checkConfirmation } from '#contract/sessions.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { ScheduleButton, type ScheduleBody } from '../availability/schedule-button.tsx'
import { offerUndo, type Undo } from '../shared/offer-undo.ts'
import { refreshAfterChange } from '../shared/refresh-after-change.ts'
import bar from '../shared/lists/selection-bar.module.css'
import styles from './bulk-bar.module.css'
import { GroupDialog } from './group-dialog.tsx'
import { forEachOf } from './for-each-of.ts'
import { changedLabels, type LabelChanges } from './change-labels.ts'
import { LabelsDialog } from './labels-dialog.tsx'
import { useLinkVersions } from '../uploads/version-proposals.tsx'
import { deleteTrack, setPublished, useCategoryOptions } from '../track-data/track-queries.ts'
import type { TrackVariant } from './track-variant.ts'

export interface BulkBarProps {
  rows: readonly AdminTrack[]
  variant: TrackVariant
  /** Called after an action that succeeded for every track. */
  onDone: () => void
}

export function BulkBar({ rows, variant, onDone }: BulkBarProps) {
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const { share, run } = useBulkRun(onDone)
  const ids = rows.map(({ id }) => id)
  const isBusy = share !== undefined
  const count = formatCount(rows.length, 'track', 'tracks')

  const { publish, schedule, setCategory, changeLabels } = changesOf(ids, run, variant.updateFailed)

  /** Confirms once for all tracks. If cancelled, no track is deleted. */
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
    <div className={bar.bar} role="region" aria-label="Chosen tracks">
      <span className={bar.count} role="status">
        {count} chosen
      </span>
      {isBusy ? (
        <span className={styles.progress}>
          <ProgressBar label="Changing the chosen tracks" value={share} />
        </span>
      ) : (
        <BulkActions
          rows={rows}
          onPublish={(isPublished) => void publish(isPublished)}
          what={count}
          onSchedule={(body) => void schedule(body)}
          onSetCategory={(category) => void setCategory(category)}
          onChangeLabels={(changes) => void changeLabels(rows, changes)}
          onLinked={onDone}
          onDelete={() => setConfirmOpen(true)}
        />
      )}
      <IconButton label="Choose none" disabled={isBusy} onClick={onDone}>
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

/** The bulk changes that set the same value on every selected track. */
function changesOf(
  ids: string[],
  run: ReturnType<typeof useBulkRun>['run'],
  failed: BulkWords['failed'],
) {
  const publish = (isPublished: boolean) =>
    run(ids, (id) => setPublished(id, isPublished), {
      done: isPublished ? 'published' : 'unpublished',
      failed,
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
    const bodies = new Map(rows.map((track) => [track.id, changedLabels(track, changes)]))
    return run(
      [...bodies].flatMap(([id, body]) => (body ? id : [])),
      (id) => call(updateAdminTrack, { params: { id }, body: bodies.get(id) ?? {} }),
      { done: 'changed', failed },
    )
  }
  return { publish, schedule, setCategory, changeLabels }
}

interface BulkActionsProps {
  rows: readonly AdminTrack[]
  onPublish: (isPublished: boolean) => void
  /** '3 tracks' */
  what: string
  onSchedule: (body: ScheduleBody) => void
  onSetCategory: (category: string) => void
  onChangeLabels: (changes: LabelChanges) => void
  onLinked: () => void
  onDelete: () => void
}

function BulkActions(props: BulkActionsProps) {
  const { rows, onPublish, what, onSchedule, onSetCategory, onChangeLabels, onLinked, onDelete } =
    props
  const [isLabeling, setIsLabeling] = useState(false)
  const linking = useLinkVersions(onLinked)
  const [isGrouping, setIsGrouping] = useState(false)
  const categories = useCategoryOptions()
  return (
    <div className={bar.actions}>
      <Button size="small" onClick={() => onPublish(true)}>
        Publish
      </Button>
      <Button size="small" onClick={() => onPublish(false)}>
        Unpublish
      </Button>
      <ScheduleButton what={what} onSchedule={onSchedule} />
      <Button size="small" icon={<IconRelease />} onClick={() => setIsGrouping(true)}>
        Group into a release
      </Button>
      <span className={styles.category}>
        <Select
          label="Set category"
          hideLabel
          placeholder="Set category"
          disabled={!categories.data}
          options={[{ value: none, label: 'No category' }, ...(categories.data ?? [])]}
          value=""
          onChange={(event) => event.target.value && onSetCategory(event.target.value)}
        />
      </span>
      <Button size="small" onClick={() => setIsLabeling(true)}>
        Categories and moods
      </Button>
      {rows.length > 1 && (
        <Button
          size="small"
          icon={<IconLink />}
          busy={linking.isPending}
          onClick={() => linking.mutate(rows.map(({ id }) => id))}
        >
          Link as versions
        </Button>
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

/** Option value that removes the category. No slug has this form. */
const none = ' '

interface BulkWords {
  /** Past participle for the toast: 'published'. */
  done: string
  failed: (error: unknown) => void
  /** Undoes the action for the tracks on which it succeeded. */
  undo?: (ids: string[]) => Undo
}

const changed = ['tracks', 'categories', 'genres', 'playlists'] as const

function useBulkRun(onDone: () => void) {
  const queryClient = useQueryClient()
  /** Progress, 0 to 1; undefined while nothing runs. */
  const [share, setShare] = useState<number>()
  const isRunning = useRef(false)

  async function run(ids: string[], act: (id: string) => Promise<unknown>, words: BulkWords) {
    if (isRunning.current) return
    isRunning.current = true
    setShare(0)
    const doneIds: string[] = []
    const runAndRecord = async (id: string) => {
      await act(id)
      doneIds.push(id)
    }
    const failures = await forEachOf(ids, runAndRecord, (done) => setShare(done / ids.length))
    await refreshAfterChange(queryClient, changed)
    isRunning.current = false
    setShare(undefined)
    if (doneIds.length > 0) {
      const title = `${formatCount(doneIds.length, 'track', 'tracks')} ${words.done}`
      if (words.undo) offerUndo(queryClient, title, changed, words.undo(doneIds))
      else showToast({ tone: 'success', title })
    }
    if (failures.length > 0) words.failed(failures[0])
    else onDone()
  }
  return { share, run }
}
