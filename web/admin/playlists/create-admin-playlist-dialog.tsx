// Dialog to create a curated playlist.
import { useId, useState, type FormEvent } from 'react'
import type { Audience } from '#contract/fields/availability.ts'
import { useSite } from '../../base/session/site.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft, useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { toAvailabilityBody, emptyAvailability } from '../availability/availability-form.ts'
import { showReason } from '../shared/admin-failure.ts'
import { noCover } from '../shared/cover-field.tsx'
import styles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useCover, type DraftCover } from '../shared/use-cover.ts'
import { changePlaylists } from './admin-playlist-queries.ts'
import { PlaylistFields } from './playlist-fields.tsx'

export interface CreateAdminPlaylistDialogProps {
  open: boolean
  onClose: () => void
}

export function CreateAdminPlaylistDialog({ open, onClose }: CreateAdminPlaylistDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create Playlist"
      footer={
        <FormButtons form={formId} label="Create Playlist" busy={isSaving} onCancel={onClose} />
      }
    >
      <CreateForm formId={formId} onSavingChange={setIsSaving} onSaved={onClose} />
    </Dialog>
  )
}

const draftKey = 'admin-playlist:new'
const emptyForm = (audience: Audience) => ({
  title: '',
  description: '',
  is_curated: true,
  availability: emptyAvailability(audience),
})

interface CreateFormProps {
  formId: string
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

function CreateForm({ formId, onSavingChange, onSaved }: CreateFormProps) {
  const { form: element, problems, showProblems } = useProblems<{ title: string }>()
  const cover = useCover(useKeptFiles<DraftCover>(draftKey))
  const { default_audience } = useSite()
  const [saved] = useState(() => emptyForm(default_audience))
  const draft = useFormDraft({ key: draftKey, what: 'the new playlist', saved }, cover)
  const { form, setForm } = draft
  const creating = useAdminMutation({
    async run() {
      const cover_path = await cover.path()
      const { title, description, is_curated, availability } = form
      return await changePlaylists({
        action: 'create',
        title,
        description: description.trim() || null,
        cover_path,
        is_curated,
        ...(is_curated && toAvailabilityBody({ form: availability, isPublished: false })),
      })
    },
    onSavingChange,
    refresh: ['playlists'],
    done: 'Playlist created successfully',
    onDone() {
      draft.saved()
      onSaved()
    },
    failed: (error) => showReason(error, 'Failed to create playlist'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (form.title.trim()) {
      if (!creating.isPending) creating.mutate()
      return
    }
    showProblems({ title: 'Title is required' })
    showToast({ tone: 'destructive', title: 'Error', message: 'Title is required' })
  }

  return (
    <form ref={element} id={formId} className={styles.form} noValidate onSubmit={submit}>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <PlaylistFields
        form={form}
        onChange={(changes) => setForm({ ...form, ...changes })}
        titleError={problems.title}
        isVisible={false}
        upload={cover.upload}
        current={noCover}
        removed={false}
        onRemovedChange={() => {}}
      />
    </form>
  )
}
