// Adding a track, or changing one: the form, its files on their way, and how far the server is with them.
import { useId, useRef, useState, type FormEvent } from 'react'
import { changeAdminTracks, updateAdminTrack, type AdminTrack } from '#contract/admin-tracks.ts'
import { call } from '../../app/api.ts'
import { errorText } from '../../app/show-error.ts'
import { useSite } from '../../app/site.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { coverPath } from '../cover-field.tsx'
import { useFailureToast } from '../data-table.tsx'
import { useAct } from '../use-act.ts'
import { useUpload } from '../use-upload.ts'
import { ProcessingState } from './processing-state.tsx'
import styles from './track-dialog.module.css'
import { TrackFields } from './track-fields.tsx'
import {
  createBody,
  emptyTrackForm,
  findTrackProblems,
  formOfTrack,
  updateBody,
  type TrackProblems,
} from './track-form.ts'
import { useAdminTrack } from './track-queries.ts'
import type { TrackVariant } from './track-variant.ts'

export interface TrackDialogProps {
  open: boolean
  /** Null: a new track. */
  id: string | null
  variant: TrackVariant
  onClose: () => void
}

export function TrackDialog({ open, id: wantedId, variant, onClose }: TrackDialogProps) {
  // It keeps its content while it closes.
  const [id, setId] = useState(wantedId)
  if (open && id !== wantedId) setId(wantedId)
  const { data: track, error, isFetching, refetch } = useAdminTrack(open ? id : null)
  useFailureToast(error, variant.loadFailed)
  const { artist_name } = useSite()
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  const canSave = id === null || track !== undefined
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="large"
      title={id ? 'Edit Track' : 'Add Track'}
      footer={
        <FormButtons
          form={formId}
          label={id ? 'Save Changes' : 'Add Track'}
          busy={isSaving}
          disabled={!canSave}
          onCancel={onClose}
        />
      }
    >
      {canSave ? (
        <TrackEditor
          // A fresh form for each track.
          key={id ?? 'new'}
          formId={formId}
          track={track ?? null}
          artistName={artist_name}
          variant={variant}
          onSavingChange={setIsSaving}
          onSaved={onClose}
        />
      ) : error ? (
        <ErrorState
          title={variant.failedTitle}
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className={styles.form} aria-busy="true">
          {Array.from({ length: 5 }, (_, index) => (
            <Skeleton key={index} height="4.25rem" />
          ))}
        </div>
      )}
    </Dialog>
  )
}

interface TrackEditorProps {
  formId: string
  track: AdminTrack | null
  artistName: string
  variant: TrackVariant
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

function TrackEditor(props: TrackEditorProps) {
  const { formId, track, artistName, variant, onSavingChange, onSaved } = props
  const [form, setForm] = useState(() => (track ? formOfTrack(track) : emptyTrackForm(artistName)))
  // The list may bring a newer one while this is open; what is typed is a change of this one.
  const [opened] = useState(track)
  const [problems, setProblems] = useState<TrackProblems & { audio?: string }>({})
  const [coverRemoved, setCoverRemoved] = useState(false)
  const audio = useUpload('audio')
  const cover = useUpload('covers')
  const element = useRef<HTMLFormElement>(null)

  const saving = useAct({
    async run() {
      const cover_path = await coverPath(cover, coverRemoved)
      const audio_path = await audio.finish()
      if (opened) {
        const body = updateBody(form, opened, { audio_path, cover_path })
        return await call(updateAdminTrack, { params: { id: opened.id }, body })
      }
      const body = createBody(form, { audio_path: audio_path ?? '', cover_path })
      return await call(changeAdminTracks, { body })
    },
    onSavingChange,
    refresh: ['tracks', 'categories', 'genres'],
    done: track ? 'Track updated successfully' : 'Track added successfully',
    onDone: onSaved,
    failed: variant.saveFailed,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (saving.isPending) return
    const found: typeof problems = findTrackProblems(form)
    const [first] = Object.values(found)
    const lacksAudio = !track && audio.state.status === 'idle'
    if (lacksAudio) found.audio = 'Please upload an audio file'
    setProblems(found)
    if (first) showToast({ tone: 'destructive', title: 'Validation Error', message: first })
    else if (lacksAudio) showToast({ tone: 'destructive', ...variant.audioMissing })
    else return saving.mutate()
    // The fields are marked with the next draw. The one that was told has the focus.
    const told = first ? '[aria-invalid]:not([type="file"])' : '[aria-invalid]'
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>(told)?.focus())
  }

  return (
    <form ref={element} id={formId} className={styles.form} noValidate onSubmit={submit}>
      {track && track.processing_status !== 'ready' && (
        <div className={styles.processing}>
          <ProcessingState track={track} />
        </div>
      )}
      <TrackFields
        form={form}
        onChange={(changes) => setForm({ ...form, ...changes })}
        problems={problems}
        track={track}
        audio={audio}
        cover={cover}
        coverRemoved={coverRemoved}
        onCoverRemovedChange={setCoverRemoved}
      />
    </form>
  )
}
