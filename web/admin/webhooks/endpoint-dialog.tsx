// Dialog to add or edit a webhook endpoint.
import { useId, useState, type FormEvent } from 'react'
import {
  createWebhookEndpoint,
  updateWebhookEndpoint,
  webhookDescriptionMaxLength,
  webhookUrlMaxLength,
  type WebhookEndpoint,
} from '#contract/admin/webhooks.ts'
import { webhookEventTypes, type WebhookEventType } from '#contract/webhook-events.ts'
import { call } from '../../base/api/api.ts'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { getServerReason, showFailure } from '../shared/admin-failure.ts'
import formStyles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import type { CreatedSecret } from './secret-dialog.tsx'
import { eventOptions } from './webhook-labels.ts'
import styles from './webhooks-screen.module.css'

interface EndpointForm {
  url: string
  description: string
  event_types: WebhookEventType[]
}

const labels = { url: 'Address', description: 'Description', event_types: 'Events' }

export interface EndpointDialogProps {
  /** Null for a new endpoint. */
  endpoint: WebhookEndpoint | null
  onClose: () => void
  onCreated: (created: CreatedSecret) => void
}

export function EndpointDialog(props: EndpointDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  const { endpoint, onClose } = props
  return (
    <Dialog
      open
      onClose={onClose}
      title={endpoint ? 'Edit Endpoint' : 'Add Endpoint'}
      description="Each event is sent to this address as a JSON POST request."
      footer={
        <FormButtons
          form={formId}
          label={endpoint ? 'Save Changes' : 'Add Endpoint'}
          busy={isSaving}
          onCancel={onClose}
        />
      }
    >
      <EndpointFields {...props} formId={formId} onSavingChange={setIsSaving} />
    </Dialog>
  )
}

interface EndpointFieldsProps extends EndpointDialogProps {
  formId: string
  onSavingChange: (isSaving: boolean) => void
}

function EndpointFields(props: EndpointFieldsProps) {
  const { endpoint, formId } = props
  const draft = useFormDraft<EndpointForm, null>({
    key: `webhook:${endpoint?.id ?? 'new'}`,
    what: endpoint ? 'this endpoint' : 'the new endpoint',
    saved: toForm(endpoint),
  })
  const { form: fields, setForm } = draft
  const { form, problems, showProblems } = useProblems<Record<keyof EndpointForm, string>>()
  const saving = useSaveEndpoint(props, draft.saved, (reason) => showProblems({ url: reason }))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (saving.isPending) return
    if (fields.url.trim() === '') showProblems({ url: 'Please enter an address.' })
    else if (!/^https?:\/\/[^/\s]+/i.test(fields.url.trim())) {
      showProblems({ url: 'Please enter a complete address, such as https://example.com/hooks.' })
    } else if (fields.event_types.length === 0) {
      showProblems({ event_types: 'Select at least one event.' })
    } else saving.mutate(fields)
  }

  return (
    <form ref={form} id={formId} className={formStyles.form} noValidate onSubmit={submit}>
      <EditNotes edit={{ ...draft, labels, isStale: false }} />
      <TextField
        data-autofocus
        label="Address"
        type="url"
        inputMode="url"
        required
        placeholder="https://example.com/hooks"
        maxLength={webhookUrlMaxLength}
        spellCheck={false}
        value={fields.url}
        error={problems.url}
        onChange={({ target }) => setForm({ ...fields, url: target.value })}
      />
      <TextField
        label="Description"
        hint="For your reference, such as “Newsletter”."
        maxLength={webhookDescriptionMaxLength}
        value={fields.description}
        onChange={({ target }) => setForm({ ...fields, description: target.value })}
      />
      <fieldset className={styles.events}>
        <legend className={styles.legend}>Events</legend>
        {eventOptions.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            checked={fields.event_types.includes(value)}
            onChange={({ target }) =>
              setForm({
                ...fields,
                event_types: webhookEventTypes.filter((type) =>
                  type === value ? target.checked : fields.event_types.includes(type),
                ),
              })
            }
          />
        ))}
        {problems.event_types && <p role="alert">{problems.event_types}</p>}
      </fieldset>
    </form>
  )
}

function toForm(endpoint: WebhookEndpoint | null): EndpointForm {
  if (!endpoint) return { url: '', description: '', event_types: [] }
  const { url, description, event_types } = endpoint
  return {
    url,
    description,
    event_types: webhookEventTypes.filter((type) => event_types.includes(type)),
  }
}

function useSaveEndpoint(
  { endpoint, onClose, onCreated, onSavingChange }: EndpointFieldsProps,
  onSaved: () => void,
  onRefused: (reason: string | undefined) => void,
) {
  return useAdminMutation<EndpointForm, CreatedSecret | null>({
    async run({ url, ...others }) {
      if (!endpoint) {
        return (await call(createWebhookEndpoint, { body: { url, ...others } })).data
      }
      // Send the URL only if it changed, because a new URL requires a confirmation.
      const body = url.trim() === endpoint.url ? others : { url, ...others }
      await call(updateWebhookEndpoint, { params: { id: endpoint.id }, body })
      return null
    },
    onSavingChange,
    refresh: ['webhooks'],
    // Show no toast for a new endpoint: the dialog with its secret opens instead.
    done: (created) => (created ? undefined : 'Endpoint saved'),
    onDone(created) {
      onSaved()
      onClose()
      if (created) onCreated(created)
    },
    failed(error) {
      onRefused(getServerReason(error))
      showFailure(error, 'Failed to save the endpoint')
    },
  })
}
