// The member's own subscription at Stripe, and its changes.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CallInput, Output } from '#contract/endpoint.ts'
import {
  acceptRetentionOffer,
  cancelSubscription,
  getOwnSubscription,
  resumeSubscription,
} from '#contract/own-subscription.ts'
import type { Profile } from '#contract/profiles.ts'
import { call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { sessionQuery } from '../../base/session/session.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

const ownSubscriptionKey = ['own-subscription'] as const

export function useOwnSubscription({ is_premium, payment_problem }: Profile) {
  return useQuery({
    queryKey: ownSubscriptionKey,
    queryFn: async ({ signal }) => (await call(getOwnSubscription, {}, { signal })).data,
    enabled: is_premium || payment_problem !== null,
  })
}

function useChange<Input>(
  run: (input: Input) => Promise<Output<typeof getOwnSubscription>>,
  title: string,
  onDone?: () => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: run,
    async onSuccess({ data }) {
      queryClient.setQueryData(ownSubscriptionKey, data)
      showToast({ tone: 'success', title })
      onDone?.()
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    onError: (error) => showError(error),
  })
}

export function useCancelSubscription(onDone: () => void) {
  return useChange(
    (body: NonNullable<CallInput<typeof cancelSubscription>['body']>) =>
      call(cancelSubscription, { body }),
    'Premium is canceled',
    onDone,
  )
}

export function useResumeSubscription() {
  return useChange<void>(() => call(resumeSubscription, {}), 'Premium renews again')
}

export function useAcceptRetentionOffer(onDone: () => void) {
  return useChange<void>(
    () => call(acceptRetentionOffer, {}),
    'Thank you for staying. Your next payments are reduced.',
    onDone,
  )
}
