// One cache for everything that came from the server. An answer that contradicts what the app believes
// about the session or the state of the service makes it ask for both again. Invariant: what one person was answered
// is gone before the next one is known, however the session came to an end.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { Profile } from '#contract/profiles.ts'
import { ApiError, isSessionOver } from './api.ts'
import { showToast } from '../ui/toast-store.ts'
import { useConnection } from './connection.ts'
import { keepScreen, memberQueries, useLostSession } from './lost-session.ts'
import { closeGate } from './request-gate.ts'
import { endedHere, sessionQuery } from './session.ts'
import { siteQuery } from './site.ts'
import { hasUnsavedWork } from './unsaved-work.ts'

const maxRetries = 2

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: learnFrom }),
    mutationCache: new MutationCache({ onError: onChangeFailed }),
    defaultOptions: {
      // Without a connection everything is tried all the same: it fails at once, says why, and what
      // this device keeps can stand in. Waiting in silence for the network helps nobody.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 30_000,
        retry: (failures, error) => failures < maxRetries && isPassing(error),
      },
    },
  })

  forgetWithPerson(client)

  async function learnFrom(error: Error): Promise<void> {
    if (!(error instanceof ApiError)) return
    if (error.code === 'maintenance') void client.invalidateQueries(siteQuery)
    // Another admin has just turned that on: the profile says what is missing.
    if (error.code === 'second_factor_required') void client.invalidateQueries(sessionQuery)
    if (error.code !== 'unauthenticated') return
    // The session ended elsewhere: the screen's guard then leads to signing in.
    const asked = client.invalidateQueries(sessionQuery)
    closeGate(asked)
    await asked
  }

  /** A lost session is announced once, by the sign-in, not by each request that fails because of it. */
  async function onChangeFailed(error: Error): Promise<void> {
    await learnFrom(error)
    if (!isSessionOver(error) || !client.getQueryData(sessionQuery.queryKey)) return
    showToast({ tone: 'destructive', title: 'Error', message: 'Please try again.' })
  }
  return client
}

/** Another window, or another device, may have ended the session and begun one of somebody else. */
function forgetWithPerson(client: QueryClient): void {
  let known: Profile | null = null
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionQuery.queryKey[0]) return
    const person = client.getQueryData<Profile | null>(sessionQuery.queryKey)
    // Not known for the moment, such as without a connection.
    if (person === undefined) return
    const before = known
    known = person
    const kept = useLostSession.getState().member
    if (kept && known) {
      // Signed in again: here, or in another window and perhaps as somebody else.
      if (known.id === kept.id) void client.invalidateQueries(memberQueries)
      else void client.resetQueries(memberQueries)
      useLostSession.setState({ member: null })
      return
    }
    if (before === null || before.id === known?.id) return
    // Whoever is signed out is led away; whoever is somebody else stays, and sees their own.
    if (known) void client.resetQueries(memberQueries)
    else if (hasUnsavedWork() && !endedHere()) keepScreen(before)
    else client.removeQueries(memberQueries)
  })
}

/** Worth another try: no answer at all, or a server that is down for the moment. */
function isPassing(error: Error): boolean {
  if (!(error instanceof ApiError) || error.code === 'maintenance') return false
  if (error.code === 'network') return useConnection.getState().connection !== 'offline'
  return error.status >= 502
}
