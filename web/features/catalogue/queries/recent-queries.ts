// The tracks the member played recently.
import { listRecentlyPlayed } from '#contract/plays.ts'
import { call } from '../../../base/api/api.ts'

/** Use the 'tracks' key, so that a catalogue change refetches it. */
export const recentlyPlayedQuery = {
  queryKey: ['tracks', 'recent'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(listRecentlyPlayed, {}, { signal })).data,
}
