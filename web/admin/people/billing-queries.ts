// Queries and mutations for subscriptions. All mutations call the same endpoint. Its body contains the kind of change.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { runBillingAction, type Subscription } from '#contract/admin/admin-billing.ts'
import { listPlans } from '#contract/billing.ts'
import type { CallInput, Output } from '#contract/endpoint.ts'
import { defaultCurrency } from '#contract/plans.ts'
import type { paymentMethods, SubscriptionStatus, Tier } from '#contract/plans.ts'
import { call } from '../../base/api/api.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

type Body = CallInput<typeof runBillingAction>['body']
export type BillingResponse = Output<typeof runBillingAction>

export const paymentMethodOptions = [
  { value: 'cash', label: 'Cash' },
  { value: 'check', label: 'Check' },
  { value: 'cashapp', label: 'CashApp' },
  { value: 'zelle', label: 'Zelle' },
  { value: 'other', label: 'Other' },
] as const satisfies readonly { value: (typeof paymentMethods)[number]; label: string }[]

export function sendBillingAction(body: Body): Promise<BillingResponse> {
  return call(runBillingAction, { body })
}

export type SubscriptionListQuery = Omit<Extract<Body, { action: 'list_subscriptions' }>, 'action'>

export function useSubscriptions(query: SubscriptionListQuery) {
  return useQuery({
    queryKey: ['admin', 'billing', 'list', query],
    queryFn: ({ signal }) =>
      call(runBillingAction, { body: { action: 'list_subscriptions', ...query } }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Runs the quick actions of a subscription row. */
export function useUpdateSubscription() {
  return useAdminMutation<
    { row: Subscription; tier: Tier; status: SubscriptionStatus },
    BillingResponse
  >({
    run: ({ row, tier, status }) =>
      sendBillingAction({ action: 'update_subscription', user_id: row.user_id, tier, status }),
    refresh: ['billing', 'users', 'insights'],
    done: 'Subscription updated successfully',
    failed: 'Failed to update subscription',
  })
}

export interface PlanPrices {
  monthly: number
  yearly: number
  currency: string
}

function usePlans() {
  return useQuery({
    queryKey: ['admin', 'billing', 'plans'],
    queryFn: ({ signal }) => call(listPlans, {}, { signal }),
    staleTime: 60_000,
  })
}

/** Returns the prices of the plans, or undefined until they are loaded. */
export function usePlanPrices(): PlanPrices | undefined {
  const { data } = usePlans()
  const getPrice = (name: string) => data?.data.find(({ plan }) => plan === name)?.price_cents ?? 0
  const currency = data?.data[0]?.currency ?? defaultCurrency
  return data && { monthly: getPrice('monthly'), yearly: getPrice('yearly'), currency }
}

/** Returns the currency of the prices, as an ISO 4217 code in lower case. */
export function useCurrency(): string {
  return usePlans().data?.data[0]?.currency ?? defaultCurrency
}
