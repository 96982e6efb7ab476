// Lists the webhook endpoints, with a menu of actions for each.
import { useState, type ReactNode } from 'react'
import {
  maxWebhookEndpoints,
  rotateWebhookSecret,
  webhookOverlapHours,
  type WebhookEndpoint,
} from '#contract/admin/webhooks.ts'
import { IconDotsVertical, IconWebhook } from '#web/base/ui/icons/icons.ts'
import { call } from '../../base/api/api.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../base/ui/overlays/menu.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { DataTable } from '../shared/lists/data-table.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import type { CreatedSecret } from './secret-dialog.tsx'
import {
  useDeleteEndpoint,
  useSendTest,
  useSetEnabled,
  type useWebhookEndpoints,
} from './webhook-queries.ts'
import { eventName, getEndpointName } from './webhook-labels.ts'
import styles from './webhooks-screen.module.css'

type Question = { kind: 'delete' | 'rotate'; endpoint: WebhookEndpoint }

export interface EndpointTableProps {
  endpoints: ReturnType<typeof useWebhookEndpoints>
  addButton: ReactNode
  onEdit: (endpoint: WebhookEndpoint) => void
  onRotated: (created: CreatedSecret) => void
}

export function EndpointTable({ endpoints, addButton, onEdit, onRotated }: EndpointTableProps) {
  const [question, setQuestion] = useState<Question | null>(null)
  const rows = endpoints.data?.data ?? []
  return (
    <div>
      <DataTable
        label="Endpoints"
        stacked
        tall
        hasDensitySwitch={false}
        query={endpoints}
        failedTitle="Failed to load the endpoints"
        columns={['Endpoint', 'Events', 'State', { number: 'Actions' }]}
        empty={<EmptyState icon={<IconWebhook />} title="No endpoints yet" action={addButton} />}
        footer={
          rows.length >= maxWebhookEndpoints && `${rows.length} of ${maxWebhookEndpoints} endpoints`
        }
      >
        {rows.map((endpoint) => (
          <EndpointRow
            key={endpoint.id}
            endpoint={endpoint}
            onEdit={() => onEdit(endpoint)}
            onAsk={(kind) => setQuestion({ kind, endpoint })}
          />
        ))}
      </DataTable>
      <EndpointQuestion
        question={question}
        onClose={() => setQuestion(null)}
        onRotated={onRotated}
      />
    </div>
  )
}

interface EndpointRowProps {
  endpoint: WebhookEndpoint
  onEdit: () => void
  onAsk: (kind: Question['kind']) => void
}

function EndpointRow({ endpoint, onEdit, onAsk }: EndpointRowProps) {
  const { url, description, event_types, is_enabled } = endpoint
  const name = getEndpointName(endpoint)
  const setting = useSetEnabled()
  const testing = useSendTest()
  return (
    <tr>
      <th scope="row" className={styles.endpoint}>
        {description && <span>{description}</span>}
        <span className={styles.url}>{url}</span>
      </th>
      <td data-label="Events">{event_types.map(eventName).join(', ')}</td>
      <td data-label="State">
        <EndpointState endpoint={endpoint} />
      </td>
      <td data-numeric data-corner>
        <Menu
          label={`Actions for ${name}`}
          trigger={
            <IconButton size="small" label={`Actions for ${name}`}>
              <IconDotsVertical />
            </IconButton>
          }
        >
          <MenuItem onSelect={onEdit}>Edit</MenuItem>
          <MenuItem disabled={!is_enabled} onSelect={() => testing.mutate(endpoint)}>
            Send Test Event
          </MenuItem>
          <MenuItem onSelect={() => onAsk('rotate')}>Rotate Secret</MenuItem>
          <MenuItem onSelect={() => setting.mutate(endpoint)}>
            {is_enabled ? 'Disable' : 'Enable'}
          </MenuItem>
          <MenuItem danger onSelect={() => onAsk('delete')}>
            Delete
          </MenuItem>
        </Menu>
      </td>
    </tr>
  )
}

function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { disabled_reason, disabled_at, failing_since } = endpoint
  const reasonTexts = {
    admin: 'Disabled',
    failing: 'Disabled: failed for several days',
    gone: 'Disabled: the address no longer exists',
  }
  if (disabled_reason !== null) {
    return (
      <>
        <Badge tone={disabled_reason === 'admin' ? 'neutral' : 'danger'}>
          {reasonTexts[disabled_reason]}
        </Badge>
        {disabled_at && <small className={styles.since}>since {formatMoment(disabled_at)}</small>}
      </>
    )
  }
  if (failing_since === null) return <Badge tone="success">Enabled</Badge>
  return (
    <>
      <Badge tone="warning">Failing</Badge>
      <small className={styles.since}>since {formatMoment(failing_since)}</small>
    </>
  )
}

interface EndpointQuestionProps {
  question: Question | null
  onClose: () => void
  onRotated: (created: CreatedSecret) => void
}

function EndpointQuestion({ question, onClose, onRotated }: EndpointQuestionProps) {
  const shown = useLast(question)
  const deletion = useDeleteEndpoint(onClose)
  const rotation = useAdminMutation<WebhookEndpoint, CreatedSecret>({
    run: async ({ id }) => (await call(rotateWebhookSecret, { params: { id } })).data,
    refresh: ['webhooks'],
    onDone(created) {
      onClose()
      onRotated(created)
    },
    failed: 'Failed to rotate the secret',
  })
  const isRotation = shown?.kind === 'rotate'
  const act = isRotation ? rotation : deletion
  return (
    <ConfirmDialog
      open={question !== null}
      title={
        isRotation ? 'Rotate Secret' : `Delete ${shown ? getEndpointName(shown.endpoint) : ''}`
      }
      message={
        isRotation
          ? `You get a new secret. For ${webhookOverlapHours} hours, messages are also signed with the previous one.`
          : 'It receives no more events, and its delivery log is deleted.'
      }
      confirmLabel={isRotation ? 'Rotate' : 'Delete'}
      tone={isRotation ? 'neutral' : 'danger'}
      busy={act.isPending}
      onConfirm={() => question && act.mutate(question.endpoint)}
      onCancel={onClose}
    />
  )
}
