// Queries and mutations of the member's gifts: list, buy, redeem.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallInput } from '#contract/endpoint.ts'
import { buyGift, listGifts, redeemGift } from '#contract/gifts.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { sessionQuery } from '../../base/session/session.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

export const giftsQuery = {
  queryKey: ['gifts'] as const,
  queryFn: () => call(listGifts, {}),
}

/** Redirects to the payment page. */
export function useBuyGift() {
  return useMutation({
    async mutationFn(body: NonNullable<CallInput<typeof buyGift>['body']>) {
      const { url } = await call(buyGift, { body })
      window.location.assign(url)
    },
    onError(error) {
      if (error instanceof ApiError && error.code === 'stripe_not_configured') {
        showToast({ title: 'Coming Soon', message: 'Gifts will be available soon.' })
      } else showError(error)
    },
  })
}

export function useRedeemGift() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call(redeemGift, { body: { code } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}
