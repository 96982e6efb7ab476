// Queries for the shelves above the list of Browse.
import { getHome } from '#contract/home.ts'
import { call } from '../../../base/api/api.ts'

export const homeQuery = {
  queryKey: ['home'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(getHome, {}, { signal }),
}
