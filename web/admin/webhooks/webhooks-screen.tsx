// /admin/webhooks: lists the endpoints that receive events, and the log of deliveries.
import { useState } from 'react'
import type { WebhookEndpoint } from '#contract/admin/webhooks.ts'
import { IconPlus } from '#web/base/ui/icons/icons.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { EndpointTable } from './endpoint-table.tsx'
import { SecretDialog, type CreatedSecret } from './secret-dialog.tsx'
import { useWebhookEndpoints } from './webhook-queries.ts'
import styles from './webhooks-screen.module.css'

export function WebhooksScreen() {
  const endpoints = useWebhookEndpoints()
  const [edited, setEdited] = useState<WebhookEndpoint | 'new' | null>(null)
  const [created, setCreated] = useState<CreatedSecret | null>(null)
  const addButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setEdited('new')}>
      Add Endpoint
    </Button>
  )
  return (
    <AdminPage
      title="Webhooks"
      note="Sends signed messages to your own programs when something happens here."
      actions={addButton}
    >
      <div className={styles.screen}>
        <EndpointTable
          endpoints={endpoints}
          addButton={addButton}
          onEdit={setEdited}
          onRotated={setCreated}
        />
        {/* Rendered after the table above has loaded, so that the table does not push the log down. */}
        {!endpoints.isPending && <DeliveryLog endpoints={endpoints.data?.data ?? []} />}
      </div>
      {edited !== null && (
        <EndpointDialog
          endpoint={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onCreated={setCreated}
        />
      )}
      {created && <SecretDialog created={created} onClose={() => setCreated(null)} />}
    </AdminPage>
  )
}
