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

/**
 * Changes one of the choices. Shows the new choice immediately, and rolls back with a message if the server rejects it.
 */
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

/** Ends the push subscription with the given id, or subscribes this browser if the id is undefined. */
export function useNotifyThisBrowser() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ id }: { id: string | undefined }) =>
      id === undefined ? notifyThisBrowser() : stopNotifyingThisBrowser(id),
    onSettled: () => queryClient.invalidateQueries(pushSubscriptionsQuery),
    onError: (error) => showError(error, error instanceof NotifyError ? error.message : undefined),
  })
}
