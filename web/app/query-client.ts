// One cache for everything that came from the server. An answer that contradicts what the app believes
// about the session or the state of the service makes it ask for both again. Invariant: what one person was answered
// is gone before the next one is known, however the session came to an end.
import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import type { Profile } from '#contract/profiles.ts'
import { ApiError } from './api.ts'
import { useConnection } from './connection.ts'
import { sessionQuery } from './session.ts'
import { siteQuery } from './site.ts'

const maxRetries = 2

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: learnFrom }),
    mutationCache: new MutationCache({ onError: learnFrom }),
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

  function learnFrom(error: Error): void {
    if (!(error instanceof ApiError)) return
    // The session ended elsewhere: the screen's guard then leads to the sign-in screen.
    if (error.code === 'unauthenticated') void client.invalidateQueries(sessionQuery)
    if (error.code === 'maintenance') void client.invalidateQueries(siteQuery)
  }
  return client
}

/** Another window, or another device, may have ended the session and begun one of somebody else. */
function forgetWithPerson(client: QueryClient): void {
  const others = { predicate: ({ queryKey }: Query) => queryKey[0] !== sessionQuery.queryKey[0] }
  let known: string | null = null
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionQuery.queryKey[0]) return
    const person = client.getQueryData<Profile | null>(sessionQuery.queryKey)
    // Not known for the moment, such as without a connection.
    if (person === undefined) return
    const before = known
    known = person?.id ?? null
    if (before === null || before === known) return
    // Whoever is signed out is led away; whoever is somebody else stays, and sees their own.
    if (known === null) client.removeQueries(others)
    else void client.resetQueries(others)
  })
}

/** Worth another try: no answer at all, or a server that is down for the moment. */
function isPassing(error: Error): boolean {
  if (!(error instanceof ApiError) || error.code === 'maintenance') return false
  if (error.code === 'network') return useConnection.getState().connection !== 'offline'
  return error.status >= 502
}
