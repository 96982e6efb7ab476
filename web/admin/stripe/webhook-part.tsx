// Shows whether events from Stripe arrive at the webhook, and how to connect it if not.
import type { StripeConnection } from '#contract/admin/money/admin-stripe.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useConnectWebhook } from './stripe-queries.ts'
import styles from './stripe.module.css'

const stateTexts = {
  connected: ['success', 'Connected', 'Stripe sends its events here.'],
  by_hand: [
    'neutral',
    'Set up manually',
    'The signing secret below was entered manually. Connecting again replaces the endpoint at this address with one managed by this service.',
  ],
  moved: [
    'warning',
    'Address has changed',
    'Stripe sends its events to the previous address. Connect the webhook again.',
  ],
  none: [
    'warning',
    'Not connected',
    'Members cannot pay without it, because the service would not be notified of payments.',
  ],
} as const

export function WebhookPart({ connection }: { connection: StripeConnection }) {
  const connecting = useConnectWebhook()
  const { key_source, is_key_lost, webhook } = connection
  if (key_source === 'none' && webhook.state === 'none') return null
  const [tone, title, text] = stateTexts[webhook.state]
  const canConnect = key_source !== 'none' && !is_key_lost && webhook.is_reachable
  return (
    <section className={styles.webhook} aria-label="Webhook">
      <h3 className={styles.heading}>
        Webhook <Badge tone={tone}>{title}</Badge>
      </h3>
      <p>{text}</p>
      <p className={styles.address}>{webhook.url}</p>
      {!webhook.is_reachable && <LocalNote />}
      {webhook.failure && webhook.tried_at && (
        <div className={styles.note} role="alert">
          <p>{webhook.failure}</p>
          <p className={textStyles.softSmall}>Last attempt: {formatMoment(webhook.tried_at)}.</p>
        </div>
      )}
      {(webhook.failure || webhook.state === 'by_hand') && (
        <p className={textStyles.softSmall}>
          To connect manually, go to Developers, Webhooks in the Stripe dashboard, add an endpoint
          with the address above, and enter its signing secret below as Stripe Webhook Secret.
        </p>
      )}
      {canConnect && (
        <span>
          <Button busy={connecting.isPending} onClick={() => connecting.mutate()}>
            {webhook.tried_at ? 'Reconnect Webhook' : 'Connect Webhook'}
          </Button>
        </span>
      )}
    </section>
  )
}

function LocalNote() {
  return (
    <div className={styles.note}>
      <p>
        Stripe cannot reach this address because it is local or in a private network. Set PUBLIC_URL
        on the server to the public address of the service, restart the service, and connect the
        webhook here.
      </p>
      <p>
        To test locally, run <code>stripe listen --forward-to</code> with the address above, and
        enter the signing secret that it prints below as Stripe Webhook Secret.
      </p>
    </div>
  )
}
