// Queries of what the member has agreed to receive. Their keys start with 'news', which changes on other devices
// refetch.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallInput } from '#contract/endpoint.ts'
import { getNewsPreferences, updateNewsPreferences, type NewsPreferences } from '#contract/news.ts'
import { listPushSubscriptions } from '#contract/push.ts'
import { call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { NotifyError, notifyThisBrowser, stopNotifyingThisBrowser } from './this-browser.ts'

export const newsPreferencesQuery = queryOptions({
  queryKey: ['news', 'preferences'] as const,
  queryFn: ({ signal }) => call(getNewsPreferences, {}, { signal }),
})

export const pushSubscriptionsQuery = queryOptions({
  queryKey: ['news', 'browsers'] as const,
  queryFn: async ({ signal }) => (await call(listPushSubscriptions, {}, { signal })).data,
})

/** Shows the choice immediately, and reverts it with a message when the server rejects it. */
export function useChooseNews() {
  const queryClient = useQueryClient()
  const { queryKey } = newsPreferencesQuery
  return useMutation({
    mutationFn: (body: NonNullable<CallInput<typeof updateNewsPreferences>['body']>) =>
      call(updateNewsPreferences, { body }),
    // Requests run one after another, so that the server ends with the last choice.
    scope: { id: 'news-preferences' },
    async onMutate(choices) {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<NewsPreferences>(
        queryKey,
        (before) => before && { ...before, ...choices },
      )
    },
    onSuccess: (saved) => queryClient.setQueryData(queryKey, saved),
    onError(error) {
      showError(error)
      void queryClient.invalidateQueries({ queryKey })
    },
  })
}

/** @param id this browser's subscription; undefined subscribes it */
export function useNotifyThisBrowser() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ id }: { id: string | undefined }) =>
      id === undefined ? notifyThisBrowser() : stopNotifyingThisBrowser(id),
    onSettled: () => queryClient.invalidateQueries(pushSubscriptionsQuery),
    onError: (error) => showError(error, error instanceof NotifyError ? error.message : undefined),
  })
}
