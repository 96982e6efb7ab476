// The form to add or edit a track: notices, fields and validation.
import type { FormEvent, ReactNode } from 'react'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './track-dialog.module.css'
import { TrackFields } from './track-fields.tsx'
import { findTrackProblems, type TrackForm, type TrackProblems } from './track-form.ts'
import type { TrackVariant } from './track-variant.ts'
import type { TrackFiles } from './use-track-files.ts'

export interface TrackFormViewProps {
  formId: string
  variant: TrackVariant
  form: TrackForm
  onChange: (form: TrackForm) => void
  files: TrackFiles
  /** Null for a new track. */
  track: AdminTrack | null
  /** Rendered above the fields. */
  notes: ReactNode
  /** Called only if the form is valid. */
  onSave: () => void
}

export function TrackFormView(props: TrackFormViewProps) {
  const { formId, variant, form, onChange, files, track, notes, onSave } = props
  const { form: element, problems, showProblems } = useProblems<TrackProblems & { audio: string }>()
  const { audio, cover } = files

  function submit(event: FormEvent) {
    event.preventDefault()
    const found: typeof problems = findTrackProblems(form)
    const [first] = Object.values(found)
    const isAudioMissing = !first && !track && audio.state.status === 'idle'
    if (isAudioMissing) found.audio = 'Please upload an audio file'
    if (!showProblems(found)) return onSave()
    if (isAudioMissing) showToast({ tone: 'destructive', ...variant.audioMissing })
    else showToast({ tone: 'destructive', title: 'Validation Error', message: first })
  }

  return (
    <form ref={element} id={formId} className={styles.form} noValidate onSubmit={submit}>
      {notes}
      <TrackFields
        form={form}
        onChange={(changes) => onChange({ ...form, ...changes })}
        problems={problems}
        track={track}
        audio={audio}
        cover={cover.upload}
        coverRemoved={cover.isRemoved}
        onCoverRemovedChange={cover.setIsRemoved}
      />
    </form>
  )
}
