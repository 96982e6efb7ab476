// What the member listened to lately.
import { listRecentlyPlayed } from '#contract/plays.ts'
import { call } from '../app/api.ts'

/** Among the tracks, so that a change of the catalogue asks for it anew. */
export const recentlyPlayedQuery = {
  queryKey: ['tracks', 'recent'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(listRecentlyPlayed, {}, { signal })).data,
}
