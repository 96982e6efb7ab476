// The deliveries of the last 30 days, with filters.
import { useState } from 'react'
import type { WebhookDelivery, WebhookEndpoint } from '#contract/admin/webhooks.ts'
import { webhookDeliveryStates } from '#contract/webhook-events.ts'
import { IconHistory } from '#web/base/ui/icons/icons.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Pagination } from '../../base/ui/lists/pagination.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { DataTable } from '../shared/lists/data-table.tsx'
import listBar from '../shared/lists/list-bar.module.css'
import { useExistingPage } from '../shared/lists/use-url-filters.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { useDeliveryFilters, useWebhookDeliveries } from './webhook-queries.ts'
import {
  describeAttempt,
  eventName,
  loggedEventOptions,
  getEndpointName,
  stateTones,
  stateLabels,
} from './webhook-labels.ts'
import styles from './webhooks-screen.module.css'

const stateOptions = webhookDeliveryStates.map((value) => ({ value, label: stateLabels[value] }))

export function DeliveryLog({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const filters = useDeliveryFilters()
  const deliveries = useWebhookDeliveries(filters.query, filters.page)
  useExistingPage(filters, deliveries)
  const [openId, setOpenId] = useState<string | null>(null)
  const pagination = deliveries.data?.pagination
  return (
    <div>
      <h2 className={styles.heading}>Deliveries</h2>
      <DeliveryFilterBar endpoints={endpoints} filters={filters} />
      <DataTable
        label="Deliveries"
        stacked
        tall
        query={deliveries}
        failedTitle="Failed to load the deliveries"
        columns={['Event', 'When', 'Endpoint', 'State', 'Last response', 'Attempts']}
        empty={
          <EmptyState
            icon={<IconHistory />}
            title={filters.isFiltered ? 'No deliveries found' : 'No deliveries in the last 30 days'}
          />
        }
        footer={
          pagination && (
            <>
              <span>{formatCount(pagination.total, 'delivery', 'deliveries')}</span>
              {pagination.total_pages > 1 && (
                <Pagination
                  label="Deliveries"
                  page={pagination.page}
                  totalPages={pagination.total_pages}
                  onChange={filters.setPage}
                />
              )}
            </>
          )
        }
      >
        {(deliveries.data?.data ?? []).map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            endpoint={endpoints.find(({ id }) => id === delivery.endpoint_id)}
            onOpen={() => setOpenId(delivery.id)}
          />
        ))}
      </DataTable>
      {openId && <DeliveryDialog id={openId} onClose={() => setOpenId(null)} />}
    </div>
  )
}

interface DeliveryFilterBarProps {
  endpoints: readonly WebhookEndpoint[]
  filters: ReturnType<typeof useDeliveryFilters>
}

function DeliveryFilterBar({ endpoints, filters: { values, change } }: DeliveryFilterBarProps) {
  return (
    <div className={listBar.bar} role="group" aria-label="Delivery filters">
      <Select
        label="Endpoint"
        placeholder="All endpoints"
        options={endpoints.map((endpoint) => ({
          value: endpoint.id,
          label: getEndpointName(endpoint),
        }))}
        value={values.endpoint_id}
        onChange={({ target }) => change({ endpoint_id: target.value })}
      />
      <Select
        label="Event"
        placeholder="All events"
        options={loggedEventOptions}
        value={values.type}
        onChange={({ target }) => change({ type: target.value })}
      />
      <Select
        label="State"
        placeholder="All states"
        options={stateOptions}
        value={values.state}
        onChange={({ target }) => change({ state: target.value })}
      />
    </div>
  )
}

interface DeliveryRowProps {
  delivery: WebhookDelivery
  endpoint: WebhookEndpoint | undefined
  onOpen: () => void
}

function DeliveryRow({ delivery, endpoint, onOpen }: DeliveryRowProps) {
  const { type, state, attempts, url, created_at } = delivery
  const name = eventName(type)
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className={styles.open}
          aria-label={`${name}, ${formatMoment(created_at)}`}
          onClick={onOpen}
        >
          {name}
        </button>
      </th>
      <td data-label="When">
        <time dateTime={created_at}>{formatMoment(created_at)}</time>
      </td>
      <td data-label="Endpoint" className={styles.endpointName}>
        {getEndpointName(endpoint ?? { description: '', url })}
      </td>
      <td data-label="State">
        <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>
      </td>
      <td data-label="Last response">{describeAttempt(delivery)}</td>
      <td data-label="Attempts">{attempts}</td>
    </tr>
  )
}
