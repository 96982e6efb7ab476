// Dialog to change a person's display name.
import { useId, useState, type FormEvent } from 'react'
import { updateUser, type AdminUser } from '#contract/admin/admin-users.ts'
import { call } from '../../base/api/api.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import formStyles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

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
  // The name when the form was opened. If a refetch changed it, the unchanged form would count as edited.
  const [saved] = useState({ name: user.display_name })
  const draft = useFormDraft({
    key: `user-name:${user.id}`,
    what: `the name of ${user.email}`,
    saved,
  })
  const { name } = draft.form
  const saving = useAdminMutation({
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
