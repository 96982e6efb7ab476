// Changes the display name of a person.
import { useId, useState, type FormEvent } from 'react'
import { updateUser, type AdminUser } from '#contract/admin-users.ts'
import { call } from '../../app/api.ts'
import { RestoredNote } from '../../app/restored-note.tsx'
import { useFormDraft } from '../../app/use-form-draft.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { TextField } from '../../ui/text-field.tsx'
import formStyles from '../dialog-form.module.css'
import { useAct } from '../use-act.ts'

export interface NameDialogProps {
  user: AdminUser
  open: boolean
  onClose: () => void
}

export function NameDialog({ user, open, onClose }: NameDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Edit Name"
      footer={<FormButtons form={formId} label="Save Name" busy={isSaving} onCancel={onClose} />}
    >
      <NameForm formId={formId} user={user} onSavingChange={setIsSaving} onSaved={onClose} />
    </Dialog>
  )
}

interface NameFormProps {
  formId: string
  user: AdminUser
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

function NameForm({ formId, user, onSavingChange, onSaved }: NameFormProps) {
  // Snapshot taken when the form opened: a refetched list must not make the form look edited.
  const [saved] = useState({ name: user.display_name })
  const draft = useFormDraft({
    key: `user-name:${user.id}`,
    what: `the name of ${user.email}`,
    saved,
  })
  const { name } = draft.form
  const saving = useAct({
    run: () => call(updateUser, { params: { id: user.id }, body: { display_name: name.trim() } }),
    onSavingChange,
    refresh: ['users', 'billing'],
    done: 'Display name updated',
    onDone() {
      draft.saved()
      onSaved()
    },
    failed: 'Failed to update display name',
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!saving.isPending) saving.mutate()
  }
  return (
    <form id={formId} className={formStyles.form} onSubmit={submit}>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <TextField
        label="Display name"
        hint={user.email}
        data-autofocus
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={(event) => draft.setForm({ name: event.target.value })}
      />
    </form>
  )
}
