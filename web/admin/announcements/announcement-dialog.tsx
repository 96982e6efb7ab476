// Dialog to write an announcement, with a preview of the email. Sent announcements are read-only.
import { useId, useState, type FormEvent } from 'react'
import {
  announcementAudiences,
  announcementBodyMaxLength,
  announcementSubjectMaxLength,
  createAnnouncement,
  updateAnnouncement,
  type Announcement,
  type AnnouncementAudience,
} from '#contract/announcements.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import formStyles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import {
  audienceLabels,
  usePreview,
  useRecipientCount,
  type AnnouncementText,
} from './announcement-queries.ts'
import styles from './announcements-screen.module.css'

const labels = { subject: 'Subject', body: 'Text', audience: 'For' }
const audienceOptions = announcementAudiences.map((value) => ({
  value,
  label: audienceLabels[value],
}))

export interface AnnouncementDialogProps {
  /** The announcement to edit. Null for a new one. */
  announcement: Announcement | null
  onClose: () => void
}

export function AnnouncementDialog(props: AnnouncementDialogProps) {
  const { announcement, onClose } = props
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  const isSent = announcement !== null && announcement.state !== 'draft'
  return (
    <Dialog
      open
      size="large"
      onClose={onClose}
      title={isSent ? announcement.subject : announcement ? 'Edit Draft' : 'Write Announcement'}
      description={isSent ? undefined : 'Saved as a draft. You can send it from the list.'}
      footer={
        isSent ? undefined : (
          <FormButtons form={formId} label="Save Draft" busy={isSaving} onCancel={onClose} />
        )
      }
    >
      {isSent ? (
        <SentAnnouncement announcement={announcement} />
      ) : (
        <DraftFields {...props} formId={formId} onSavingChange={setIsSaving} />
      )}
    </Dialog>
  )
}

function SentAnnouncement({ announcement }: { announcement: Announcement }) {
  return <Preview announcementText={announcement} />
}

interface DraftFieldsProps extends AnnouncementDialogProps {
  formId: string
  onSavingChange: (isSaving: boolean) => void
}

function DraftFields(props: DraftFieldsProps) {
  const { announcement, formId } = props
  const draft = useFormDraft<AnnouncementText, null>({
    key: `announcement:${announcement?.id ?? 'new'}`,
    what: announcement ? 'this announcement' : 'the new announcement',
    saved: toForm(announcement),
  })
  const { form: fields, setForm } = draft
  const { form, problems, showProblems } = useProblems<{ subject: string }>()
  const saving = useSaveDraft(props, draft.saved)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (saving.isPending) return
    if (fields.subject.trim() === '') showProblems({ subject: 'Please enter a subject.' })
    else saving.mutate(fields)
  }

  return (
    <form ref={form} id={formId} className={formStyles.form} noValidate onSubmit={submit}>
      <EditNotes edit={{ ...draft, labels, isStale: false }} />
      <TextField
        data-autofocus
        label="Subject"
        required
        maxLength={announcementSubjectMaxLength}
        value={fields.subject}
        error={problems.subject}
        onChange={({ target }) => setForm({ ...fields, subject: target.value })}
      />
      <div className={styles.audience}>
        <Select
          label="For"
          options={audienceOptions}
          value={fields.audience}
          onChange={({ target }) =>
            setForm({ ...fields, audience: target.value as AnnouncementAudience })
          }
        />
        <RecipientCount audience={fields.audience} />
      </div>
      <TextArea
        label="Text"
        hint="Markdown: **bold**, [a link](/browse), # a heading. Images and HTML are removed."
        rows={10}
        maxLength={announcementBodyMaxLength}
        value={fields.body}
        onChange={({ target }) => setForm({ ...fields, body: target.value })}
      />
      <Preview announcementText={fields} />
    </form>
  )
}

function RecipientCount({ audience }: { audience: AnnouncementAudience }) {
  const { data } = useRecipientCount(audience)
  return (
    <p className={styles.count} role="status">
      {data && `${formatCount(data.count, 'member', 'members')} opted in and would receive it now.`}
    </p>
  )
}

/** Renders a preview of the email when the button is clicked. Later changes to the text do not update the preview. */
function Preview({ announcementText }: { announcementText: AnnouncementText }) {
  const preview = usePreview()
  const { subject, body, audience } = announcementText
  return (
    <section aria-label="Preview" className={styles.preview}>
      <Button
        busy={preview.isPending}
        disabled={subject.trim() === ''}
        onClick={() => preview.mutate({ subject, body, audience })}
      >
        {preview.data ? 'Refresh Preview' : 'Show Preview'}
      </Button>
      {preview.data && (
        <iframe
          title="Email preview"
          className={styles.mail}
          sandbox=""
          srcDoc={removeStyleSheets(preview.data.html)}
        />
      )}
    </section>
  )
}

/**
 * Removes style sheets, because this page's Content-Security-Policy blocks them. The email then shows in light colors.
 */
function removeStyleSheets(html: string): string {
  return html.replace(/<style>[^<]*<\/style>/, '')
}

function toForm(announcement: Announcement | null): AnnouncementText {
  const { subject = '', body = '', audience = 'all' } = announcement ?? {}
  return { subject, body, audience }
}

function useSaveDraft(
  { announcement, onClose, onSavingChange }: DraftFieldsProps,
  onSaved: () => void,
) {
  return useAdminMutation<AnnouncementText>({
    run: (body) =>
      announcement
        ? call(updateAnnouncement, { params: { id: announcement.id }, body })
        : call(createAnnouncement, { body }),
    onSavingChange,
    refresh: ['announcements'],
    done: 'Draft saved',
    onDone() {
      onSaved()
      onClose()
    },
    failed: 'Failed to save the draft',
  })
}
