// Queries and mutations for webhooks. Deliveries are polled while one of them is about to be sent.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  deleteWebhookEndpoint,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
  resendWebhookDelivery,
  sendWebhookTest,
  updateWebhookEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '#contract/admin/webhooks.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

type Query = NonNullable<CallInput<typeof listWebhookDeliveries>['query']>

const filterNames = ['endpoint_id', 'type', 'state'] as const
const pollMs = 2000
/** The list is polled while a delivery is due within this time. */
const soonMs = 15_000

const isSoon = ({ next_attempt_at }: Pick<WebhookDelivery, 'next_attempt_at'>) =>
  next_attempt_at !== null && Date.parse(next_attempt_at) - Date.now() < soonMs

export function useWebhookEndpoints() {
  return useQuery({
    queryKey: ['admin', 'webhooks', 'endpoints'],
    queryFn: ({ signal }) => call(listWebhookEndpoints, {}, { signal }),
  })
}

export function useDeliveryFilters() {
  const filters = useUrlFilters(filterNames)
  const query = Object.fromEntries(
    Object.entries(filters.values).filter(([, value]) => value !== ''),
  ) as Query
  return { ...filters, query }
}

export function useWebhookDeliveries(query: Query, page: number) {
  return useQuery({
    queryKey: ['admin', 'webhooks', 'deliveries', query, page],
    queryFn: ({ signal }) => call(listWebhookDeliveries, { query: { ...query, page } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isSoon) ? pollMs : false),
  })
}

export function useWebhookDelivery(id: string) {
  return useQuery({
    queryKey: ['admin', 'webhooks', 'delivery', id],
    queryFn: async ({ signal }) =>
      (await call(getWebhookDelivery, { params: { id } }, { signal })).data,
    refetchInterval: ({ state }) => (state.data && isSoon(state.data) ? pollMs : false),
  })
}

export function useSetEnabled() {
  return useAdminMutation<WebhookEndpoint>({
    run: ({ id, is_enabled }) =>
      call(updateWebhookEndpoint, { params: { id }, body: { is_enabled: !is_enabled } }),
    refresh: ['webhooks', 'system'],
    done: (_, { is_enabled }) => (is_enabled ? 'Endpoint disabled' : 'Endpoint enabled'),
    failed: 'Failed to update the endpoint',
  })
}

export function useSendTest() {
  return useAdminMutation<WebhookEndpoint>({
    run: ({ id }) => call(sendWebhookTest, { params: { id } }),
    refresh: ['webhooks'],
    done: 'Test event sent',
    failed: 'Failed to send a test event',
  })
}

export function useDeleteEndpoint(onDone: () => void) {
  return useAdminMutation<WebhookEndpoint>({
    run: ({ id }) => call(deleteWebhookEndpoint, { params: { id } }),
    refresh: ['webhooks', 'system'],
    done: 'Endpoint deleted',
    onDone,
    failed: 'Failed to delete the endpoint',
  })
}

export function useResend() {
  return useAdminMutation<string>({
    run: (id) => call(resendWebhookDelivery, { params: { id } }),
    refresh: ['webhooks'],
    done: 'Sending the event again',
    failed: 'Failed to send the event again',
  })
}
