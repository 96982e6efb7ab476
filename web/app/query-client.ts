// One cache for everything that came from the server.
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const maxRetries = 2

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < maxRetries && isPassing(error),
      },
    },
  })
}

/** Worth another try: no answer at all, or a server that is down for the moment. */
function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.code === 'network' || error.status >= 502)
}
