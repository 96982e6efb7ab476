// Creates or renames a genre.
import { useId, useState, type FormEvent } from 'react'
import { createGenre, updateGenre, type Genre } from '#contract/admin/admin-genres.ts'
import { call } from '../../base/api/api.ts'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { getServerReason, showFailure } from '../shared/admin-failure.ts'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import styles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export interface GenreDialogProps {
  open: boolean
  /** The genre to rename. Null to create one. */
  genre: Genre | null
  /** True if the genre has been deleted since the form was opened. */
  isDeleted: boolean
  onClose: () => void
}

export function GenreDialog({ open, genre, isDeleted, onClose }: GenreDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  // Keeps the content unchanged while the dialog closes.
  const [shown, setShown] = useState(genre)
  if (open && shown !== genre) setShown(genre)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="small"
      title={shown ? 'Rename Genre' : 'Add Genre'}
      footer={
        <FormButtons
          form={formId}
          label={shown ? 'Save Changes' : 'Add Genre'}
          busy={isSaving}
          disabled={isDeleted}
          onCancel={onClose}
        />
      }
    >
      <GenreForm
        key={shown?.id ?? 'new'}
        {...{ formId, isDeleted }}
        genre={shown}
        onSavingChange={setIsSaving}
        onSaved={onClose}
      />
    </Dialog>
  )
}

interface GenreFormProps extends Pick<GenreDialogProps, 'genre' | 'isDeleted'> {
  formId: string
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

function GenreForm({ formId, genre, isDeleted, onSavingChange, onSaved }: GenreFormProps) {
  const draft = useFormDraft({
    key: `genre:${genre?.id ?? 'new'}`,
    what: genre ? 'this genre' : 'the new genre',
    saved: { name: genre?.name ?? '' },
  })
  const { name } = draft.form
  const { form, problems, showProblems } = useProblems<{ name: string }>()
  const saving = useAdminMutation({
    run: () =>
      genre
        ? call(updateGenre, { params: { id: genre.id }, body: { name: name.trim() } })
        : call(createGenre, { body: { name: name.trim() } }),
    onSavingChange,
    refresh: ['genres', 'tracks'],
    done: genre ? 'Genre renamed successfully' : 'Genre created successfully',
    onDone() {
      draft.saved()
      onSaved()
    },
    failed(error) {
      showProblems({ name: getServerReason(error) })
      showFailure(error, genre ? 'Failed to rename genre' : 'Failed to create genre')
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isDeleted || saving.isPending) return
    if (!name.trim()) showProblems({ name: 'Genre name is required' })
    else saving.mutate()
  }

  return (
    <form ref={form} id={formId} className={styles.form} noValidate onSubmit={submit}>
      <EditNotes
        edit={{ ...draft, labels: { name: 'Name' }, isStale: false }}
        deletionNote={isDeleted ? 'This genre was deleted.' : undefined}
      />
      <TextField
        data-autofocus
        label="Name"
        required
        maxLength={80}
        value={name}
        error={problems.name}
        onChange={(event) => draft.setForm({ name: event.target.value })}
      />
    </form>
  )
}
