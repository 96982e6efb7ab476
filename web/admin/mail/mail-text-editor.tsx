// Editor for the text of one email: fields, list of variables, preview, test email, and reset to the default.
import { useState, type FormEvent } from 'react'
import {
  setMailWords,
  testMailWords,
  type MailWordsOfKind,
} from '#contract/admin/service/admin-mail-words.ts'
import { findUnknownVariables, wordsMaxLength, type MailWords } from '#contract/mail/mail-kinds.ts'
import { call } from '../../base/api/api.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import textStyles from '../../base/ui/layout/text.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { MailTextPreview } from './mail-text-preview.tsx'
import styles from './mail.module.css'

const fields = ['subject', 'opening', 'closing'] as const
type Form = Record<(typeof fields)[number], string>

const none: MailWords = { subject: null, opening: null, closing: null }

export function MailTextEditor({
  mailText,
  onClose,
}: {
  mailText: MailWordsOfKind
  onClose: () => void
}) {
  const { kind, title } = mailText
  const [form, setForm] = useState<Form>({
    subject: mailText.subject ?? '',
    opening: mailText.opening ?? '',
    closing: mailText.closing ?? '',
  })
  const { form: element, problems, showProblems } = useProblems<Form>()
  const typed = toMailText(form)
  const params = { kind }
  const saving = useAdminMutation<MailWords, MailWordsOfKind>({
    run: (body) => call(setMailWords, { params, body }),
    refresh: ['mail'],
    done: ({ updated_at }) => `${title}: ${updated_at ? 'text saved' : 'default text restored'}`,
    onDone: onClose,
    failed: 'Failed to save the text',
  })
  const testing = useAdminMutation<MailWords>({
    run: (body) => call(testMailWords, { params, body }),
    refresh: [],
    onDone: () => showToast({ tone: 'success', title: 'Test email sent to you' }),
    failed: 'Failed to send a test email',
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!showProblems(findProblems(form, mailText)) && !saving.isPending) saving.mutate(typed)
  }
  const change = (name: keyof Form, value: string) => setForm({ ...form, [name]: value })
  return (
    <form ref={element} className={styles.form} noValidate onSubmit={submit}>
      <TextFields {...{ mailText, form, problems }} onChange={change} />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={saving.isPending}>
          Save Text
        </Button>
        <Button busy={testing.isPending} onClick={() => testing.mutate(typed)}>
          Send Test Email
        </Button>
        <Button
          disabled={mailText.updated_at === null}
          busy={saving.isPending}
          onClick={() => saving.mutate(none)}
        >
          Reset to Default
        </Button>
      </div>
      <MailTextPreview kind={kind} mailText={typed} />
    </form>
  )
}

function TextFields({
  mailText,
  form,
  problems,
  onChange,
}: {
  mailText: MailWordsOfKind
  form: Form
  problems: Partial<Form>
  onChange: (name: keyof Form, value: string) => void
}) {
  return (
    <>
      <p className={textStyles.softSmall}>
        Variables: {mailText.variables.map((name) => `{{${name}}}`).join(', ')}. An empty line
        starts a new paragraph. Links: [text](https://…). Empty fields use the default.
      </p>
      <TextField
        label="Subject"
        placeholder={mailText.default_subject}
        maxLength={wordsMaxLength.subject}
        value={form.subject}
        error={problems.subject}
        onChange={({ target }) => onChange('subject', target.value)}
      />
      <TextArea
        label="Opening"
        rows={5}
        placeholder={mailText.default_opening}
        maxLength={wordsMaxLength.opening}
        value={form.opening}
        error={problems.opening}
        onChange={({ target }) => onChange('opening', target.value)}
      />
      <TextArea
        label="Closing"
        rows={3}
        hint="Shown after the button and before the small print."
        maxLength={wordsMaxLength.closing}
        value={form.closing}
        error={problems.closing}
        onChange={({ target }) => onChange('closing', target.value)}
      />
      <details>
        <summary>Fixed parts of this email</summary>
        <ul>
          {mailText.fixed.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </details>
    </>
  )
}

function toMailText(form: Form): MailWords {
  const getText = (name: keyof Form) => form[name].trim() || null
  return { subject: getText('subject'), opening: getText('opening'), closing: getText('closing') }
}

function findProblems(form: Form, { kind, variables }: MailWordsOfKind): Partial<Form> {
  const known = variables.map((name) => `{{${name}}}`).join(', ')
  const found = fields.flatMap((name) => {
    const [unknown] = findUnknownVariables(form[name], kind)
    return unknown === undefined
      ? []
      : [[name, `${unknown} is not available in this email. Use ${known}.`]]
  })
  return Object.fromEntries(found) as Partial<Form>
}
