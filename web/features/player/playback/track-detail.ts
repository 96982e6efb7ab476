// The player's data for a track beyond the queue: waveform, lyrics, credits, like.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getTrack, type TrackDetail } from '#contract/tracks.ts'
import { call } from '../../../base/api/api.ts'
import { readDownloadedTrack } from '../../../base/offline-store/read-downloads.ts'
import { withDownloadFallback } from '../../../base/offline-store/download-fallback.ts'

export function trackDetailOptions(id: string) {
  return queryOptions({
    queryKey: ['tracks', 'detail', id] as const,
    queryFn: withDownloadFallback(
      ({ signal }) => call(getTrack, { params: { id } }, { signal }),
      () => readDownloadedTrack(id),
    ),
    staleTime: 10 * 60_000,
  })
}

/** Undefined if there is no track, while loading, and after a failure. Playback does not depend on it. */
export function useTrackDetail(id: string | undefined): TrackDetail | undefined {
  return useQuery({ ...trackDetailOptions(id ?? ''), enabled: id !== undefined }).data
}
