// Form for the mail server and the sender. Values set by environment variables are read-only.
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { updateMailSettings, type MailSettings } from '#contract/admin/service/admin-mail.ts'
import { defaultSmtpPorts } from '#contract/mail/mail-server.ts'
import { call } from '../../base/api/api.ts'
import { noFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { useVersionedForm } from '../conflicts/use-versioned-form.ts'
import { SaveState } from '../shared/save-state.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import {
  findMailProblems,
  mailForm,
  mailOfForm,
  securityOptions,
  type MailForm,
  type MailProblems,
} from './mail-form.ts'
import styles from './mail.module.css'
import { ServerLoginFields } from './server-login-fields.tsx'

export function MailServerForm({ settings }: { settings: MailSettings }) {
  const queryClient = useQueryClient()
  const edit = useVersionedForm('mail', settings, mailForm, noFiles)
  const { form, setForm, isUnsaved } = edit
  const { form: element, problems, showProblems } = useProblems<MailProblems>()
  const saving = useAdminMutation<void, MailSettings>({
    run: () =>
      edit.save(({ form: wanted, version }) =>
        call(updateMailSettings, { body: { settings: mailOfForm(wanted, settings), version } }),
      ),
    refresh: ['mail'],
    done: 'Email settings saved',
    onDone(saved) {
      queryClient.setQueryData(['admin', 'mail', 'settings'], saved)
      edit.restart(saved)
    },
    failed: 'Failed to save the email settings',
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!showProblems(findMailProblems(form)) && !saving.isPending) saving.mutate()
  }
  const fields = {
    form,
    problems,
    settings,
    onChange: (changes: Partial<MailForm>) => setForm({ ...form, ...changes }),
  }
  return (
    <form ref={element} className={styles.form} noValidate autoComplete="off" onSubmit={submit}>
      <EditNotes edit={edit} />
      <ServerFields {...fields} />
      <SenderFields {...fields} />
      <footer className={styles.footer}>
        <SaveState updatedAt={settings.updated_at} isUnsaved={isUnsaved} />
        <Button type="submit" variant="primary" busy={saving.isPending}>
          Save Email Settings
        </Button>
      </footer>
    </form>
  )
}

interface FieldsProps {
  form: MailForm
  problems: Partial<MailProblems>
  settings: MailSettings
  onChange: (changes: Partial<MailForm>) => void
}

function ServerFields({ form, problems, settings, onChange }: FieldsProps) {
  const isSet = settings.server_source === 'environment'
  return (
    <fieldset className={styles.section} disabled={isSet}>
      <legend>Mail server</legend>
      <p className={textStyles.softSmall}>
        {isSet
          ? 'Set by the environment variable SMTP_URL. Change it there.'
          : 'Your mail provider lists these values under “SMTP”. Changes apply when you save.'}
      </p>
      <div className={styles.pair}>
        <ServerLoginFields
          form={form}
          onChange={onChange}
          problems={problems}
          labels={mailForm.labels}
          exampleHost="smtp.example.com"
          emptyHost="If empty, emails are written to the outbox folder."
          emptyUser="Leave empty if the server requires no login."
          securityOptions={securityOptions}
          defaultSmtpPorts={defaultSmtpPorts}
          hasPassword={settings.has_password}
          isSet={isSet}
        />
      </div>
    </fieldset>
  )
}

function SenderFields({ form, problems, settings, onChange }: FieldsProps) {
  const isSet = settings.sender_source === 'environment'
  return (
    <fieldset className={styles.section}>
      <legend>Sender</legend>
      <p className={textStyles.softSmall}>
        Emails are sent from {settings.sender}.
        {isSet && ' The address is set by the environment variable MAIL_FROM.'}
      </p>
      <div className={styles.pair}>
        <TextField
          label="Sender name"
          hint="If empty, the name of the service is used."
          maxLength={60}
          value={form.from_name}
          onChange={({ target }) => onChange({ from_name: target.value })}
        />
        <TextField
          label="Sender address"
          type="email"
          autoComplete="off"
          disabled={isSet}
          placeholder="hello@example.com"
          value={form.from_address}
          error={problems.from_address}
          onChange={({ target }) => onChange({ from_address: target.value })}
        />
        <TextField
          label="Reply-to address"
          type="email"
          autoComplete="off"
          hint="If empty, replies go to the sender."
          value={form.reply_to}
          error={problems.reply_to}
          onChange={({ target }) => onChange({ reply_to: target.value })}
        />
        <TextField
          label="DKIM selector"
          spellCheck={false}
          autoCapitalize="none"
          hint="Your mail provider shows it with the DKIM record."
          value={form.dkim_selector}
          error={problems.dkim_selector}
          onChange={({ target }) => onChange({ dkim_selector: target.value })}
        />
      </div>
    </fieldset>
  )
}
