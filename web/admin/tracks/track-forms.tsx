// The form to add a track, and the form to edit one.
import {
  changeAdminTracks,
  updateAdminTrack,
  type AdminTrack,
} from '#contract/admin/admin-tracks.ts'
import { call } from '../../base/api/api.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft, useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { ReviewNote } from '../reviews/review-note.tsx'
import { useMay } from '../../base/session/use-may.ts'
import { useSite } from '../../base/session/site.ts'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { useVersionedForm } from '../conflicts/use-versioned-form.ts'
import { TrackPreview } from '../listen/track-preview.tsx'
import { OwnerLine } from '../owners/owner-line.tsx'
import { PressLinks } from '../shared/press-links.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { ProcessingState } from './processing-state.tsx'
import styles from './track-dialog.module.css'
import { createBody, emptyTrackForm, trackForm, updateBody } from './track-form.ts'
import { TrackReleases } from './track-releases.tsx'
import { TrackFormView } from './track-form-view.tsx'
import type { TrackVariant } from './track-variant.ts'
import { useTrackFiles, type DraftTrackFiles } from './use-track-files.ts'

interface TrackFormProps {
  formId: string
  variant: TrackVariant
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

const newKey = 'track:new'
const changedLists = ['tracks', 'categories', 'genres'] as const

export function NewTrackForm(props: TrackFormProps & { artistName: string }) {
  const { formId, variant, artistName, onSavingChange, onSaved } = props
  const files = useTrackFiles(useKeptFiles<DraftTrackFiles>(newKey))
  const { default_ai_disclosure, default_audience } = useSite()
  const saved = emptyTrackForm(artistName, default_ai_disclosure, default_audience)
  const draft = useFormDraft({ key: newKey, what: 'the new track', saved }, files)
  const saving = useAdminMutation({
    async run() {
      const cover_path = await files.cover.path()
      const audio_path = await files.audio.finish()
      const body = createBody(draft.form, { audio_path: audio_path ?? '', cover_path })
      return await call(changeAdminTracks, { body })
    },
    onSavingChange,
    refresh: changedLists,
    done: 'Track added successfully',
    onDone() {
      draft.saved()
      onSaved()
    },
    failed: variant.saveFailed,
  })
  return (
    <TrackFormView
      {...{ formId, variant, files }}
      track={null}
      form={draft.form}
      onChange={draft.setForm}
      notes={<RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />}
      onSave={() => saving.isPending || saving.mutate()}
    />
  )
}

interface EditTrackFormProps extends TrackFormProps {
  track: AdminTrack
  /** True if the track has been deleted since the form was opened. */
  isDeleted: boolean
}

export function EditTrackForm(props: EditTrackFormProps) {
  const { formId, track, isDeleted, variant, onSavingChange, onSaved } = props
  const isAdmin = useMay('admin')
  const key = `track:${track.id}`
  const files = useTrackFiles(useKeptFiles<DraftTrackFiles>(key))
  const edit = useVersionedForm(key, track, trackForm, files)
  const saving = useAdminMutation({
    async run() {
      const cover_path = await files.cover.path()
      const audio_path = await files.audio.finish()
      return await edit.save(({ form, base, version }) => {
        const body = { ...updateBody(form, base, { audio_path, cover_path }), version }
        return call(updateAdminTrack, { params: { id: track.id }, body })
      })
    },
    onSavingChange,
    refresh: changedLists,
    done: 'Track updated successfully',
    onDone(saved) {
      edit.restart(saved)
      onSaved()
    },
    failed: variant.saveFailed,
  })
  return (
    <TrackFormView
      {...{ formId, variant, files, track }}
      form={edit.form}
      onChange={edit.setForm}
      notes={
        <>
          <ReviewNote item={track} kind="track" hasButton />
          <EditNotes edit={edit} deletionNote={isDeleted ? 'This track was deleted.' : undefined} />
          {track.processing_status !== 'ready' && !isDeleted && (
            <div className={styles.processing}>
              <ProcessingState track={track} />
            </div>
          )}
          {!isDeleted && <TrackPreview track={track} />}
          {/* An instance of the previous version doesn't send `releases`. */}
          <TrackReleases releases={track.releases ?? []} />
          {isAdmin && <OwnerLine kind="track" id={track.id} title={track.title} />}
          {isAdmin && <PressLinks item={{ kind: 'track', item_id: track.id }} />}
        </>
      }
      onSave={() => saving.isPending || isDeleted || saving.mutate()}
    />
  )
}
