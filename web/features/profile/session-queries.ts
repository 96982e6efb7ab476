// Queries and mutations of the member's own sessions.
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { endSession, listSessions } from '#contract/sessions.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { maySignOut } from '../../base/unsaved-work/leave-question.ts'
import { replaceSession, signOut, useSession } from '../../base/session/session.ts'
import { showError } from '../../base/api/show-error.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

export const sessionsQuery = {
  queryKey: ['sessions'] as const,
  queryFn: async () => (await call(listSessions, {})).data,
}

/** Changes two-factor authentication, which also gives this device a new session. */
export async function changeSecondFactor(
  queryClient: QueryClient,
  change: () => Promise<unknown>,
): Promise<void> {
  await replaceSession(queryClient, change)
  void queryClient.invalidateQueries(sessionsQuery)
}

export function useEndSession() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(id: string) {
      try {
        await call(endSession, { params: { id } })
      } catch (error) {
        // Ignore `not_found`: the session has already ended, for example by a sign-out on that device.
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error
      }
      await queryClient.invalidateQueries(sessionsQuery)
    },
    onSuccess: () => showToast({ tone: 'success', title: 'Signed out on that device' }),
    onError: (error) => showError(error),
  })
}

/** Ends all sessions; this screen then redirects to sign-in. */
export function useEndAllSessions() {
  const queryClient = useQueryClient()
  const { key } = useLocation()
  const userId = useSession().user?.id
  return useMutation({
    async mutationFn() {
      if (!(await maySignOut(userId))) return false
      await signOut(queryClient, key, 'everywhere')
      return true
    },
    onSuccess: (isSignedOut) =>
      isSignedOut &&
      showToast({
        tone: 'success',
        title: 'Signed out everywhere',
        message: 'Sign in again to continue listening here.',
      }),
    onError: (error) => showError(error),
  })
}
