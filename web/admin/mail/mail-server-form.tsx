// The mail server and the sender. What the environment sets is shown, and cannot be changed here.
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { updateMailSettings, type MailSettings } from '#contract/admin/service/admin-mail.ts'
import { usualPorts } from '#contract/mail/mail-server.ts'
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
    done: 'Mail settings saved',
    onDone(saved) {
      queryClient.setQueryData(['admin', 'mail', 'settings'], saved)
      edit.restart(saved)
    },
    failed: 'Failed to save the mail settings',
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
          Save Mail Settings
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
          ? 'Set by the environment variable SMTP_URL, which comes first. Change it there.'
          : 'Your mail provider lists these values under “SMTP”. They are in effect as soon as they are saved.'}
      </p>
      <div className={styles.pair}>
        <ServerLoginFields
          form={form}
          onChange={onChange}
          problems={problems}
          labels={mailForm.labels}
          exampleHost="smtp.example.com"
          emptyHost="Empty: mails are written to the outbox folder."
          emptyUser="Empty: the server wants no login."
          securityOptions={securityOptions}
          usualPorts={usualPorts}
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
        Mails come from {settings.sender}.
        {isSet && ' The address is set by the environment variable MAIL_FROM, which comes first.'}
      </p>
      <div className={styles.pair}>
        <TextField
          label="Sender name"
          hint="Empty: the name of the service."
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
          label="Replies go to"
          type="email"
          autoComplete="off"
          hint="Empty: to the sender."
          value={form.reply_to}
          error={problems.reply_to}
          onChange={({ target }) => onChange({ reply_to: target.value })}
        />
        <TextField
          label="DKIM selector"
          spellCheck={false}
          autoCapitalize="none"
          hint="Your mail provider names it, with the record below."
          value={form.dkim_selector}
          error={problems.dkim_selector}
          onChange={({ target }) => onChange({ dkim_selector: target.value })}
        />
      </div>
    </fieldset>
  )
}
