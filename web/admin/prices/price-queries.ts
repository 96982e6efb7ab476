// Queries and mutations for the prices of Premium.
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

/** Polled while something is going on at Stripe. */
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

/** The settings show the new prices too. */
export function useSetPrices(onDone: (prices: Prices) => void) {
  const queryClient = useQueryClient()
  return useAdminMutation<PricesBody, Prices>({
    run: (body) => call(setPrices, { body }),
    refresh: ['billing'],
    done: ({ made }) => (made?.state === 'made' ? 'Prices saved and made at Stripe' : undefined),
    onDone(prices) {
      queryClient.setQueryData(pricesKey, prices)
      void queryClient.invalidateQueries({ queryKey: ['admin', 'settings'] })
      void queryClient.invalidateQueries(siteQuery)
      onDone(prices)
    },
    failed: 'Failed to save the prices',
  })
}

export function useCallOff(onDone: () => void) {
  return useAdminMutation<string, Prices>({
    run: (price_change_id) => call(callOffPriceChange, { params: { price_change_id } }),
    refresh: ['billing'],
    done: 'The new price is called off. Members get a mail.',
    onDone,
    failed: 'Failed to call the new price off',
  })
}
