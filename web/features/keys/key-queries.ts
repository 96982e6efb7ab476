// Queries and mutations of the member's device keys and access tokens.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createAccessToken, listAccessTokens, revokeAccessToken } from '#contract/access-tokens.ts'
import { createDeviceKey, listDeviceKeys, revokeDeviceKey } from '#contract/device-keys.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

export const deviceKeysQuery = {
  queryKey: ['device-keys'] as const,
  queryFn: async () => (await call(listDeviceKeys, {})).data,
}

export const accessTokensQuery = {
  queryKey: ['access-tokens'] as const,
  queryFn: async () => (await call(listAccessTokens, {})).data,
}

/** Don't cache the response, because it contains the key or token. */
const shownOnce = { gcTime: 0 }

export function useCreateDeviceKey() {
  const queryClient = useQueryClient()
  return useMutation({
    ...shownOnce,
    mutationFn: async (body: CallInput<typeof createDeviceKey>['body']) =>
      (await call(createDeviceKey, { body })).data,
    onSuccess: () => void queryClient.invalidateQueries(deviceKeysQuery),
    onError: (error) => showError(error),
  })
}

export function useCreateAccessToken() {
  const queryClient = useQueryClient()
  return useMutation({
    ...shownOnce,
    mutationFn: async (body: CallInput<typeof createAccessToken>['body']) =>
      (await call(createAccessToken, { body })).data,
    onSuccess: () => void queryClient.invalidateQueries(accessTokensQuery),
    onError: (error) => showError(error),
  })
}

export function useRevokeDeviceKey(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(id: string) {
      await ignoreMissing(call(revokeDeviceKey, { params: { id } }))
      await queryClient.invalidateQueries(deviceKeysQuery)
    },
    onSuccess() {
      onDone()
      showToast({ tone: 'success', title: 'Key revoked', message: 'The app is signed out.' })
    },
    onError: (error) => showError(error),
  })
}

export function useRevokeAccessToken(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(id: string) {
      await ignoreMissing(call(revokeAccessToken, { params: { id } }))
      await queryClient.invalidateQueries(accessTokensQuery)
    },
    onSuccess() {
      onDone()
      showToast({ tone: 'success', title: 'Token revoked' })
    },
    onError: (error) => showError(error),
  })
}

/** Ignores `not_found`: the key or token was already revoked, for example in another window. */
async function ignoreMissing(revoking: Promise<unknown>): Promise<void> {
  try {
    await revoking
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  }
}
