// Queries and mutations for the Stripe connection.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  checkStripeKey,
  connectStripeWebhook,
  getStripeConnection,
  removeStripeKey,
  setStripeKey,
  type StripeConnection,
  type StripeKeyCheck,
} from '#contract/admin/money/admin-stripe.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { siteQuery } from '../../base/session/site.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

const connectionKey = ['admin', 'billing', 'stripe'] as const
/** Lists that contain data from Stripe, or that depend on whether Stripe is set up. */
const refresh = ['billing', 'settings', 'system'] as const

export function useConnection({ enabled = true } = {}) {
  return useQuery({
    enabled,
    queryKey: connectionKey,
    queryFn: ({ signal }) => call(getStripeConnection, {}, { signal }),
    gcTime: 0,
  })
}

/** Checks the given key with Stripe, or the stored key if none is given. */
export function useCheckKey() {
  return useAdminMutation<string | undefined, StripeKeyCheck>({
    run: (key) => call(checkStripeKey, { body: key === undefined ? {} : { key } }),
    refresh: [],
    failed: 'Failed to check the key',
  })
}

export function useSetKey(onDone: () => void) {
  const store = useStore()
  return useAdminMutation<CallInput<typeof setStripeKey>['body'], StripeConnection>({
    run: (body) => call(setStripeKey, { body }),
    refresh,
    done: 'Stripe is connected',
    onDone(connection) {
      store(connection)
      onDone()
    },
    failed: 'Failed to save the key',
  })
}

export function useRemoveKey(onDone: () => void) {
  const store = useStore()
  return useAdminMutation<void, StripeConnection>({
    run: () => call(removeStripeKey, {}),
    refresh,
    done: 'Stripe key removed',
    onDone(connection) {
      store(connection)
      onDone()
    },
    failed: 'Failed to remove the key',
  })
}

export function useConnectWebhook() {
  const store = useStore()
  return useAdminMutation<void, StripeConnection>({
    run: () => call(connectStripeWebhook, {}),
    refresh,
    done: ({ webhook }) => (webhook.failure === null ? 'Webhook connected' : undefined),
    onDone: store,
    failed: 'Failed to connect the webhook',
  })
}

function useStore() {
  const queryClient = useQueryClient()
  return (connection: StripeConnection) => {
    queryClient.setQueryData(connectionKey, connection)
    void queryClient.invalidateQueries(siteQuery)
  }
}
