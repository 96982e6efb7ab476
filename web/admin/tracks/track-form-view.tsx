// The form of a new or existing track: its notes, its fields and its validation.
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
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
  /** Shown above the fields. */
  notes: ReactNode
  /** Called only with a valid form. */
  onSave: () => void
}

export function TrackFormView(props: TrackFormViewProps) {
  const { formId, variant, form, onChange, files, track, notes, onSave } = props
  const [problems, setProblems] = useState<TrackProblems & { audio?: string }>({})
  const element = useRef<HTMLFormElement>(null)
  const { audio, cover } = files

  function submit(event: FormEvent) {
    event.preventDefault()
    const found: typeof problems = findTrackProblems(form)
    const [first] = Object.values(found)
    const isAudioMissing = !track && audio.state.status === 'idle'
    if (isAudioMissing) found.audio = 'Please upload an audio file'
    setProblems(found)
    if (first) showToast({ tone: 'destructive', title: 'Validation Error', message: first })
    else if (isAudioMissing) showToast({ tone: 'destructive', ...variant.audioMissing })
    else return onSave()
    // The next render marks the fields as invalid. After it, focus the field whose problem is shown.
    const told = first ? '[aria-invalid]:not([type="file"])' : '[aria-invalid]'
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>(told)?.focus())
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
