// The cache for all data from the server. A response that contradicts the cached session or maintenance state triggers
// a refetch of both. Invariant: one user's data is removed before the next user is known, however the session ended.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { Profile } from '#contract/profiles.ts'
import { ApiError, isSessionOver } from '../base/api/api.ts'
import { showToast } from '../base/ui/overlays/toast-store.ts'
import { useConnection } from '../base/api/connection.ts'
import { keepScreen, memberQueries, useLostSession } from '../base/api/lost-session.ts'
import { closeGate } from '../base/api/request-gate.ts'
import { wasEndedHere, sessionQuery } from '../base/session/session.ts'
import { siteQuery } from '../base/session/site.ts'
import { hasUnsavedWork } from '../base/unsaved-work/unsaved-work.ts'

const maxRetries = 2

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: refetchAfterError }),
    mutationCache: new MutationCache({ onError: onChangeFailed }),
    defaultOptions: {
      // Run requests even when offline: they fail immediately with a reason, and downloaded data can be used instead.
      // Pausing until the network returns would only hide the problem.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 30_000,
        retry: (failures, error) => failures < maxRetries && isPassing(error),
      },
    },
  })

  removeDataOnUserChange(client)

  async function refetchAfterError(error: Error): Promise<void> {
    if (!(error instanceof ApiError)) return
    if (error.code === 'maintenance') void client.invalidateQueries(siteQuery)
    // Another admin has just made the second factor mandatory. With the refetched session, the screen asks to set it
    // up.
    if (error.code === 'second_factor_required') void client.invalidateQueries(sessionQuery)
    if (error.code !== 'unauthenticated') return
    // The session ended elsewhere: refetch it, so that the screen redirects to sign-in.
    const refetched = client.invalidateQueries(sessionQuery)
    closeGate(refetched)
    await refetched
  }

  /**
   * Shows a message if a change was rejected as unauthenticated but the refetched session is valid. If the session has
   * ended, the sign-in screen shows the only message.
   */
  async function onChangeFailed(error: Error): Promise<void> {
    await refetchAfterError(error)
    if (!isSessionOver(error) || !client.getQueryData(sessionQuery.queryKey)) return
    showToast({ tone: 'destructive', title: 'Error', message: 'Please try again.' })
  }
  return client
}

/**
 * Removes or refetches cached data when the session ends or belongs to another user, also if another window or device
 * changed the session.
 */
function removeDataOnUserChange(client: QueryClient): void {
  let known: Profile | null = null
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionQuery.queryKey[0]) return
    const person = client.getQueryData<Profile | null>(sessionQuery.queryKey)
    // The session is unknown at the moment, for example while offline.
    if (person === undefined) return
    const before = known
    known = person
    const kept = useLostSession.getState().member
    if (kept && known) {
      // Someone has signed in again, in this or another window. It may be another user.
      if (known.id === kept.id) void client.invalidateQueries(memberQueries)
      else void client.resetQueries(memberQueries)
      useLostSession.setState({ member: null })
      return
    }
    if (before === null || before.id === known?.id) return
    // A signed-out user is redirected; another user stays on the screen and sees their own data.
    if (known) void client.resetQueries(memberQueries)
    else if (hasUnsavedWork() && !wasEndedHere()) keepScreen(before)
    else client.removeQueries(memberQueries)
  })
}

/** True for transient errors: no response, or a server that is temporarily down. */
function isPassing(error: Error): boolean {
  if (!(error instanceof ApiError) || error.code === 'maintenance') return false
  if (error.code === 'network') return useConnection.getState().connection !== 'offline'
  return error.status >= 502
}
