// Sends an event through the code that Stripe's events go through.
import { useState, type FormEvent } from 'react'
import { send } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { reasonOf } from '../admin-failure.ts'
import { useAct } from '../use-act.ts'
import styles from './settings-screen.module.css'
import { webhookExamples } from './webhook-examples.ts'

const example = '{ "type": "customer.subscription.updated", "data": { "object": { } } }'
const invalid = 'Invalid payload or processing error'

export function WebhookTab() {
  const [payload, setPayload] = useState('')
  const [problem, setProblem] = useState<string>()
  const simulating = useAct<string>({
    run: async (text) =>
      send('/api/billing-webhook', { method: 'POST', body: JSON.parse(text) as unknown }),
    refresh: ['billing', 'users', 'settings', 'insights'],
    onDone: () =>
      showToast({
        tone: 'success',
        title: 'Webhook Test Success',
        message: 'Webhook processed successfully',
      }),
    failed: (error) => fail(reasonOf(error) ?? invalid),
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

  return (
    <form className={styles.fields} noValidate onSubmit={submit}>
      <div className={styles.examples} role="group" aria-label="Example events">
        <span>Examples:</span>
        {webhookExamples.map(({ label, build }) => (
          <Button
            key={label}
            size="small"
            onClick={() => {
              setProblem(undefined)
              setPayload(JSON.stringify(build(new Date()), null, 2))
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
          hint="Runs as a real event would, and is marked as simulated in the audit log. For a member of yours, put their user ID in place of the zeros."
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
