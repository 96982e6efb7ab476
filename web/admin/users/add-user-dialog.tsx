// Dialog that creates an account with a password, or invites a person to create one.
import { useId, useState, type FormEvent } from 'react'
import { createAdminUser } from '#contract/admin/admin-users.ts'
import { adminPasswordMinLength, passwordMaxLength, passwordMinLength } from '#contract/auth.ts'
import { call } from '../../base/api/api.ts'
import { refusedPassword } from '../../base/api/refused-password.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Tabs } from '../../base/ui/layout/tabs.tsx'
import { showFailure } from '../shared/admin-failure.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from '../shared/dialog-form.module.css'
import ownStyles from './add-user-dialog.module.css'
import { findAddressProblem } from './find-address-problem.ts'
import { defaultRoleAndPlan, RoleField, type RoleAndPlan } from './role-and-plan-fields.tsx'
import { InviteForm } from './invite-form.tsx'
import { InviteListForm } from './invite-list-form.tsx'

interface UserProblems {
  email?: string
  password?: string
}
const empty = { email: '', password: '', display_name: '', role: defaultRoleAndPlan.role }

type Way = 'password' | 'invitation' | 'list'

export function AddUserDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  const [way, setWay] = useState<Way>('password')
  const [ready, setReady] = useState<number | null>(null)
  function close() {
    setReady(null)
    onClose()
  }
  const form = { formId, onSavingChange: setIsSaving, onSaved: close }
  function choose(id: string) {
    setWay(id as Way)
    setReady(null)
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Add User"
      footer={
        <FormButtons
          form={formId}
          label={submitLabel(way, ready)}
          busy={isSaving}
          disabled={ready === 0}
          onCancel={close}
        />
      }
    >
      <div className={ownStyles.ways}>
        <Tabs
          label="Type of account creation"
          value={way}
          onChange={choose}
          tabs={[
            { id: 'password', label: 'Create', panel: <AddUserForm {...form} /> },
            { id: 'invitation', label: 'Invite', panel: <InviteForm {...form} /> },
            {
              id: 'list',
              label: 'Invite Many',
              panel: <InviteListForm {...form} onChecked={setReady} />,
            },
          ]}
        />
      </div>
    </Dialog>
  )
}

function submitLabel(way: Way, ready: number | null): string {
  if (way === 'password') return 'Create User'
  if (way === 'invitation') return 'Send Invitation'
  return ready === null ? 'Check List' : `Invite ${formatCount(ready, 'Person', 'People')}`
}

interface AddUserFormProps {
  formId: string
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

function AddUserForm({ formId, onSavingChange, onSaved }: AddUserFormProps) {
  const draft = useFormDraft({
    key: 'user:new',
    what: 'the new user',
    saved: empty,
    secrets: ['password'],
  })
  const { form, setForm } = draft
  const { form: element, problems, showProblems } = useProblems<UserProblems>()
  const change = (changes: Partial<typeof empty>) => setForm({ ...form, ...changes })
  const creating = useCreateUser(form, {
    onSavingChange,
    onDone() {
      draft.saved()
      onSaved()
    },
    onRefusedPassword: (password) => showProblems({ password }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!showProblems(findProblems(form)) && !creating.isPending) creating.mutate()
  }

  return (
    <form ref={element} id={formId} className={styles.form} noValidate onSubmit={submit}>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <TextField
        label="Email"
        type="email"
        data-autofocus
        required
        autoComplete="off"
        value={form.email}
        error={problems.email}
        onChange={(event) => change({ email: event.target.value })}
      />
      <PasswordField
        label="Password"
        required
        autoComplete="new-password"
        hint={`At least ${getMinLength(form.role)} characters.`}
        value={form.password}
        error={problems.password}
        onChange={(event) => change({ password: event.target.value })}
      />
      <TextField
        label="Display name"
        hint="Optional."
        maxLength={100}
        value={form.display_name}
        onChange={(event) => change({ display_name: event.target.value })}
      />
      <RoleField value={form.role} onChange={(role) => change({ role })} />
    </form>
  )
}

function useCreateUser(
  form: typeof empty,
  {
    onSavingChange,
    onDone,
    onRefusedPassword,
  }: {
    onSavingChange: (isSaving: boolean) => void
    onDone: () => void
    onRefusedPassword: (reason: string) => void
  },
) {
  return useAdminMutation({
    run: () =>
      call(createAdminUser, {
        body: {
          email: form.email.trim(),
          password: form.password,
          role: form.role,
          ...(form.display_name.trim() && { display_name: form.display_name.trim() }),
        },
      }),
    onSavingChange,
    refresh: ['users', 'billing'],
    done: 'User created successfully',
    onDone,
    failed(error) {
      const refused = refusedPassword(error)
      if (refused) onRefusedPassword(refused)
      else showFailure(error, 'Failed to create user')
    },
  })
}

const getMinLength = (role: RoleAndPlan['role']) =>
  role === 'admin' ? adminPasswordMinLength : passwordMinLength

function findProblems({ email, password, role }: typeof empty): UserProblems {
  const { length } = password
  const minLength = getMinLength(role)
  const fits = length >= minLength && length <= passwordMaxLength
  const badAddress = findAddressProblem(email)
  return {
    ...(badAddress && { email: badAddress }),
    ...(!fits && {
      password: `Please use ${minLength} to ${passwordMaxLength} characters.`,
    }),
  }
}
