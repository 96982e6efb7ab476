// Form that sends an invitation by email. The invited person chooses their own password.
import type { FormEvent } from 'react'
import { createInvitation } from '#contract/admin/admin-invitations.ts'
import { displayNameMaxLength } from '#contract/auth.ts'
import { accountInvitationDays } from '#contract/invitations.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { showFailure } from '../shared/admin-failure.ts'
import styles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { findAddressProblem } from './find-address-problem.ts'
import { RoleAndPlanFields, defaultRoleAndPlan } from './role-and-plan-fields.tsx'

const empty = { email: '', display_name: '', ...defaultRoleAndPlan }
/** Codes of errors shown at the email field. */
const addressCodes = ['email_exists', 'invitation_exists', 'invalid_email']

export interface InviteFormProps {
  formId: string
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

export function InviteForm({ formId, onSavingChange, onSaved }: InviteFormProps) {
  const draft = useFormDraft({ key: 'invitation:new', what: 'the invitation', saved: empty })
  const { form, setForm } = draft
  const { form: element, problems, showProblems } = useProblems<{ email: string }>()
  const change = (changes: Partial<typeof empty>) => setForm({ ...form, ...changes })
  const inviting = useAdminMutation({
    run: () =>
      call(createInvitation, {
        body: { ...form, email: form.email.trim(), display_name: form.display_name.trim() },
      }),
    onSavingChange,
    refresh: ['users'],
    done: 'Invitation sent',
    onDone() {
      draft.saved()
      onSaved()
    },
    failed(error) {
      if (error instanceof ApiError && addressCodes.includes(error.code)) {
        showProblems({ email: error.message })
      } else showFailure(error, 'Failed to send the invitation')
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const email = findAddressProblem(form.email)
    if (!showProblems(email ? { email } : {}) && !inviting.isPending) inviting.mutate()
  }

  return (
    <form ref={element} id={formId} className={styles.form} noValidate onSubmit={submit}>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <p className={textStyles.soft}>
        They receive an email with a link to choose their password. The link works once and expires
        after {accountInvitationDays} days.
      </p>
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
      <TextField
        label="Display name"
        hint="Optional. They can change it later."
        maxLength={displayNameMaxLength}
        value={form.display_name}
        onChange={(event) => change({ display_name: event.target.value })}
      />
      <RoleAndPlanFields value={form} onChange={change} />
    </form>
  )
}
