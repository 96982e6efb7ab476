// Queries and mutations for the Premium prices.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  callOffPriceChange,
  getPrices,
  setPrices,
  type Prices,
} from '#contract/admin/money/admin-prices.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { siteQuery } from '../../base/session/site.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export type PricesBody = CallInput<typeof setPrices>['body']

const pricesKey = ['admin', 'billing', 'prices'] as const
const pollMs = 10_000

/** Loads the prices. Polls while Stripe is being updated. */
export function usePrices() {
  return useQuery({
    queryKey: pricesKey,
    queryFn: ({ signal }) => call(getPrices, {}, { signal }),
    refetchInterval: ({ state }) => (isBusy(state.data) ? pollMs : false),
  })
}

function isBusy(prices: Prices | undefined): boolean {
  const { made, change } = prices ?? {}
  return made?.state === 'making' || change?.state === 'announcing' || change?.state === 'running'
}

/** Saves the prices. Also refetches the settings, because the settings form shows the prices. */
export function useSetPrices(onDone: (prices: Prices) => void) {
  const queryClient = useQueryClient()
  return useAdminMutation<PricesBody, Prices>({
    run: (body) => call(setPrices, { body }),
    refresh: ['billing'],
    done: ({ made }) => (made?.state === 'made' ? 'Prices saved and created in Stripe' : undefined),
    onDone(prices) {
      queryClient.setQueryData(pricesKey, prices)
      void queryClient.invalidateQueries({ queryKey: ['admin', 'settings'] })
      void queryClient.invalidateQueries(siteQuery)
      onDone(prices)
    },
    failed: 'Failed to save the prices',
  })
}

export function useCancelPriceChange(onDone: () => void) {
  return useAdminMutation<string, Prices>({
    run: (price_change_id) => call(callOffPriceChange, { params: { price_change_id } }),
    refresh: ['billing'],
    done: 'Price change canceled. Notified members receive an email.',
    onDone,
    failed: 'Failed to cancel the price change',
  })
}
