// Queries the plans' prices, and starts a checkout.
import { useMutation, useQuery } from '@tanstack/react-query'
import { listPlans, startCheckout, type PaidPlan } from '#contract/billing.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

export const plansQuery = {
  queryKey: ['plans'] as const,
  queryFn: () => call(listPlans, {}),
  staleTime: 5 * 60_000,
}

/** Opens the payment page. If Stripe is not set up, shows Coming Soon. */
export function useSubscribe() {
  const { data } = useQuery(plansQuery)
  return useMutation({
    async mutationFn(body: { plan: PaidPlan; promotion_code?: string }) {
      // Stripe is not set up: the server would reject the request, so don't send it.
      if (data && !data.is_purchase_live) return showComingSoon()
      const { url } = await call(startCheckout, { body })
      window.location.assign(url)
    },
    onError(error) {
      if (error instanceof ApiError && error.code === 'stripe_not_configured') showComingSoon()
      else showError(error)
    },
  })
}

function showComingSoon(): void {
  showToast({
    title: 'Coming Soon',
    message: 'Stripe integration will be enabled soon. Stay tuned!',
  })
}
