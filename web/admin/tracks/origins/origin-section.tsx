// Section of the track form that records how the track was made. It has its own Save button. Members never see it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconLock } from '#web/base/ui/icons/icons.ts'
import { useState, type FormEvent } from 'react'
import {
  getTrackOrigin,
  updateTrackOrigin,
  type TrackOrigin,
} from '#contract/admin/track-origins.ts'
import { call } from '../../../base/api/api.ts'
import { errorText } from '../../../base/api/show-error.ts'
import { Button } from '../../../base/ui/controls/button.tsx'
import { Switch } from '../../../base/ui/controls/switch.tsx'
import { ErrorState } from '../../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../../base/ui/display/skeleton.tsx'
import { EditNotes } from '../../conflicts/edit-notes.tsx'
import { useVersionedForm } from '../../conflicts/use-versioned-form.ts'
import { showReason } from '../../shared/admin-failure.ts'
import { useAdminMutation } from '../../shared/use-admin-mutation.ts'
import { EvidenceSection } from './evidence-section.tsx'
import { OriginFields } from './origin-fields.tsx'
import { originForm, getOriginChanges } from './origin-form.ts'
import styles from './origin-section.module.css'

export function OriginSection({ trackId }: { trackId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.section}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className={styles.summary}>
        <IconLock aria-hidden="true" />
        <span>
          Origins <span className={styles.hint}>Private: members never see this.</span>
        </span>
      </summary>
      {isOpen && (
        <>
          <Origin trackId={trackId} />
          <EvidenceSection trackId={trackId} />
        </>
      )}
    </details>
  )
}

const originKey = (trackId: string) => ['admin', 'draft', 'origin', trackId]

function Origin({ trackId }: { trackId: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: originKey(trackId),
    queryFn: ({ signal }) => call(getTrackOrigin, { params: { id: trackId } }, { signal }),
    gcTime: 0,
  })
  if (data) return <OriginEditor {...{ trackId }} origin={data} />
  if (error) {
    return (
      <ErrorState
        title="Failed to load the origins"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return <Skeleton height="12rem" />
}

const noFiles = { isChanged: false, kept: null, clear: () => {} }

function OriginEditor({ trackId, origin }: { trackId: string; origin: TrackOrigin }) {
  const edit = useVersionedForm(`track-origin:${trackId}`, origin, originForm, noFiles)
  const { form, setForm, isUnsaved } = edit
  const [updatesDisclosure, setUpdatesDisclosure] = useState(true)
  const queryClient = useQueryClient()
  const saving = useAdminMutation({
    run: () =>
      edit.save(({ form: wanted, base, version }) =>
        call(updateTrackOrigin, {
          params: { id: trackId },
          body: {
            ...getOriginChanges(wanted, base),
            update_disclosure: updatesDisclosure,
            version,
          },
        }),
      ),
    refresh: ['tracks'],
    done: 'Origins saved',
    onDone(saved) {
      queryClient.setQueryData(originKey(trackId), saved)
      edit.restart(saved)
    },
    failed: (error) => showReason(error, 'Failed to save the origins'),
  })

  function save(event: FormEvent) {
    event.preventDefault()
    if (!saving.isPending) saving.mutate()
  }

  return (
    <form className={styles.form} noValidate onSubmit={save}>
      <EditNotes edit={edit} />
      <OriginFields form={form} onChange={(changes) => setForm({ ...form, ...changes })} />
      <Switch
        label="Update the public disclosure"
        hint="Sets the badge and the tool from the fields above. Nothing else becomes public."
        checked={updatesDisclosure}
        onChange={({ target }) => setUpdatesDisclosure(target.checked)}
      />
      <div>
        <Button type="submit" disabled={!isUnsaved} busy={saving.isPending}>
          Save Origins
        </Button>
      </div>
    </form>
  )
}
