// The Webhook Test tab: sends an example event, which the server handles like an event from Stripe.
import { useState, type FormEvent } from 'react'
import type { AdminUser } from '#contract/admin/admin-users.ts'
import { send } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { getServerReason } from '../shared/admin-failure.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './settings-screen.module.css'
import { placeholderUserId, webhookExamples } from './webhook-examples.ts'
import { WebhookPerson } from './webhook-person.tsx'

const example = '{ "type": "customer.subscription.updated", "data": { "object": { } } }'
const invalid = 'Invalid payload or processing error'

export function WebhookTab() {
  const [payload, setPayload] = useState('')
  const [person, setPerson] = useState<AdminUser | null>(null)
  const [problem, setProblem] = useState<string>()
  const simulating = useAdminMutation<string>({
    run: async (text) =>
      send('/api/billing-webhook', { method: 'POST', body: JSON.parse(text) as unknown }),
    refresh: ['billing', 'users', 'settings', 'insights'],
    onDone: () =>
      showToast({
        tone: 'success',
        title: 'Webhook Test Success',
        message: 'Webhook processed successfully',
      }),
    failed: (error) => fail(getServerReason(error) ?? invalid),
  })

  function fail(message: string) {
    setProblem(message)
    showToast({ tone: 'destructive', title: 'Webhook Test Failed', message })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    setProblem(undefined)
    if (!payload.trim()) fail('Please enter a webhook payload')
    else if (!simulating.isPending) simulating.mutate(payload)
  }

  /** Selects the person, and puts their user id into the example that is in the text field. */
  function choose(chosen: AdminUser | null) {
    const [before, after] = [person?.id ?? placeholderUserId, chosen?.id ?? placeholderUserId]
    setPayload(payload.replaceAll(before, after))
    setPerson(chosen)
  }

  return (
    <form className={styles.fields} noValidate onSubmit={submit}>
      <WebhookPerson person={person} onChoose={choose} />
      <div className={styles.examples} role="group" aria-label="Example events">
        <span>Examples:</span>
        {webhookExamples.map(({ label, build }) => (
          <Button
            key={label}
            size="small"
            onClick={() => {
              setProblem(undefined)
              setPayload(
                JSON.stringify(build(new Date(), person?.id ?? placeholderUserId), null, 2),
              )
            }}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className={styles.code}>
        <TextArea
          label="Webhook payload (JSON)"
          rows={10}
          spellCheck={false}
          placeholder={example}
          hint="Processed like a real event, and marked as simulated in the audit log."
          value={payload}
          error={problem}
          onChange={(event) => setPayload(event.target.value)}
        />
      </div>
      <span>
        <Button type="submit" busy={simulating.isPending}>
          Simulate Webhook
        </Button>
      </span>
    </form>
  )
}
