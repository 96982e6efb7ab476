// One cache for everything that came from the server. An answer that contradicts what the app believes
// about the session or the state of the service makes it ask for both again.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
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

  function learnFrom(error: Error): void {
    if (!(error instanceof ApiError)) return
    // The session ended elsewhere: the screen's guard then leads to the sign-in screen.
    if (error.code === 'unauthenticated') void client.invalidateQueries(sessionQuery)
    if (error.code === 'maintenance') void client.invalidateQueries(siteQuery)
  }
  return client
}

/** Worth another try: no answer at all, or a server that is down for the moment. */
function isPassing(error: Error): boolean {
  if (!(error instanceof ApiError) || error.code === 'maintenance') return false
  if (error.code === 'network') return useConnection.getState().connection !== 'offline'
  return error.status >= 502
}
