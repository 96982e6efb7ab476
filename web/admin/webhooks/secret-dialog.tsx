// Dialog that shows the secret of an endpoint. It can't be shown again later.
import type { WebhookEndpoint } from '#contract/admin/webhooks.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { CopiedFact } from '../../features/keys/copied-fact.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { getEndpointName } from './webhook-labels.ts'

export type CreatedSecret = WebhookEndpoint & { secret: string }

export function SecretDialog({
  created,
  onClose,
}: {
  created: CreatedSecret
  onClose: () => void
}) {
  const { secret, old_secret_until } = created
  return (
    <Dialog
      open
      title={`Secret for ${getEndpointName(created)}`}
      footer={
        <Button variant="primary" onClick={onClose}>
          I Have Saved It
        </Button>
      }
    >
      <div className={layout.stack3}>
        <dl>
          <CopiedFact name="Secret" value={secret} />
        </dl>
        <p className={textStyles.soft}>
          Copy it now. It is not shown again. Your program{' '}
          <a href="/api/docs/guides/webhooks">verifies each message</a> with it.
          {old_secret_until &&
            ` Until ${formatMoment(old_secret_until)}, messages are also signed with the previous secret.`}
        </p>
      </div>
    </Dialog>
  )
}
