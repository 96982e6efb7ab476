// Dialog to create an artist with a name only. The other fields are filled in later, in the artist's form.
import { useId, useState, type FormEvent } from 'react'
import { createArtist, type AdminArtist } from '#contract/admin/admin-artists.ts'
import { call } from '../../base/api/api.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { getServerReason, showFailure } from '../shared/admin-failure.ts'
import styles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export interface AddArtistDialogProps {
  open: boolean
  onClose: () => void
  onAdded: (artist: AdminArtist) => void
}

export function AddArtistDialog({ open, onClose, onAdded }: AddArtistDialogProps) {
  const formId = useId()
  const [name, setName] = useState('')
  const { form, problems, showProblems } = useProblems<{ name: string }>()
  const saving = useAdminMutation({
    run: () => call(createArtist, { body: { name: name.trim() } }),
    refresh: ['artists'],
    done: 'Artist created successfully',
    onDone(artist: AdminArtist) {
      close()
      onAdded(artist)
    },
    failed(error) {
      showProblems({ name: getServerReason(error) })
      showFailure(error, 'Failed to create artist')
    },
  })

  function close() {
    setName('')
    showProblems({})
    onClose()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (saving.isPending) return
    if (!name.trim()) showProblems({ name: 'Artist name is required' })
    else saving.mutate()
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      size="small"
      title="Add Artist"
      footer={
        <FormButtons form={formId} label="Add Artist" busy={saving.isPending} onCancel={close} />
      }
    >
      <form ref={form} id={formId} className={styles.form} noValidate onSubmit={submit}>
        <TextField
          data-autofocus
          label="Name"
          required
          maxLength={200}
          value={name}
          error={problems.name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
