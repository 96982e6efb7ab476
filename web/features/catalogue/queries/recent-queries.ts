// The tracks the member played recently.
import { listRecentlyPlayed } from '#contract/plays.ts'
import { call } from '../../../base/api/api.ts'

/** The key starts with 'tracks', so that a change of the catalogue refetches the list. */
export const recentlyPlayedQuery = {
  queryKey: ['tracks', 'recent'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(listRecentlyPlayed, {}, { signal })).data,
}
