// Form for the mailbox that receives bounces. Values set by environment variables are read-only.
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { updateBounceSettings, type BounceSettings } from '#contract/admin/service/admin-bounces.ts'
import { defaultImapPorts } from '#contract/mail/bounce-mailbox.ts'
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
  bounceForm,
  bouncesOfForm,
  findBounceProblems,
  mailboxSecurityOptions,
  type BounceForm,
  type BounceProblems,
} from './bounce-form.ts'
import { bounceSettingsKey } from './bounce-queries.ts'
import styles from './mail.module.css'
import { ServerLoginFields } from './server-login-fields.tsx'

export function BounceMailboxForm({ settings }: { settings: BounceSettings }) {
  const queryClient = useQueryClient()
  const edit = useVersionedForm('bounces', settings, bounceForm, noFiles)
  const { form, setForm, isUnsaved } = edit
  const { form: element, problems, showProblems } = useProblems<BounceProblems>()
  const saving = useAdminMutation<void, BounceSettings>({
    run: () =>
      edit.save(({ form: wanted, version }) =>
        call(updateBounceSettings, {
          body: { settings: bouncesOfForm(wanted, settings), version },
        }),
      ),
    refresh: ['mail'],
    done: 'Bounce mailbox saved',
    onDone(saved) {
      queryClient.setQueryData(bounceSettingsKey, saved)
      edit.restart(saved)
    },
    failed: 'Failed to save the bounce mailbox',
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!showProblems(findBounceProblems(form)) && !saving.isPending) saving.mutate()
  }
  return (
    <form ref={element} className={styles.form} noValidate autoComplete="off" onSubmit={submit}>
      <EditNotes edit={edit} />
      <MailboxFields form={form} setForm={setForm} problems={problems} settings={settings} />
      <TextField
        label="Bounce address"
        type="email"
        autoComplete="off"
        disabled={settings.is_address_set}
        placeholder="bounces@example.com"
        hint={
          settings.is_address_set
            ? 'Set by the environment variable BOUNCE_ADDRESS.'
            : 'The address of the mailbox. If empty, the sender address is used. Your mail server must allow sending from it.'
        }
        value={form.bounce_address}
        error={problems.bounce_address}
        onChange={({ target }) => setForm({ ...form, bounce_address: target.value })}
      />
      <footer className={styles.footer}>
        <SaveState updatedAt={settings.updated_at} isUnsaved={isUnsaved} />
        <Button type="submit" variant="primary" busy={saving.isPending}>
          Save Mailbox
        </Button>
      </footer>
    </form>
  )
}

interface FieldsProps {
  form: BounceForm
  setForm: (form: BounceForm) => void
  problems: Partial<BounceProblems>
  settings: BounceSettings
}

function MailboxFields({ form, setForm, problems, settings }: FieldsProps) {
  const isSet = settings.mailbox_source === 'environment'
  const change = (changes: Partial<BounceForm>) => setForm({ ...form, ...changes })
  return (
    <fieldset className={styles.section} disabled={isSet}>
      <legend className={styles.hiddenLegend}>Bounce mailbox</legend>
      {isSet && (
        <p className={textStyles.softSmall}>
          Set by the environment variable BOUNCE_MAILBOX_URL. Change it there.
        </p>
      )}
      <div className={styles.pair}>
        <ServerLoginFields
          form={form}
          onChange={change}
          problems={problems}
          labels={bounceForm.labels}
          exampleHost="imap.example.com"
          emptyHost="If empty, no mailbox is read."
          securityOptions={mailboxSecurityOptions}
          defaultSmtpPorts={defaultImapPorts}
          hasPassword={settings.has_password}
          isSet={isSet}
        />
        <TextField
          label="Folder"
          placeholder="INBOX"
          spellCheck={false}
          maxLength={200}
          value={form.folder}
          error={problems.folder}
          onChange={({ target }) => change({ folder: target.value })}
        />
      </div>
    </fieldset>
  )
}
