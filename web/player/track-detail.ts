// What the player shows of a track beyond the queue: waveform, lyrics, credits, the heart.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getTrack, type TrackDetail } from '#contract/tracks.ts'
import { call } from '../app/api.ts'
import { keptTrack } from '../offline/kept-answers.ts'
import { orKept } from '../offline/or-kept.ts'

export function trackDetailOptions(id: string) {
  return queryOptions({
    queryKey: ['tracks', 'detail', id] as const,
    queryFn: orKept(
      ({ signal }) => call(getTrack, { params: { id } }, { signal }),
      () => keptTrack(id),
    ),
    staleTime: 10 * 60_000,
  })
}

/** Undefined without a track, while it is on its way, and when it cannot be had: nothing depends on it. */
export function useTrackDetail(id: string | undefined): TrackDetail | undefined {
  return useQuery({ ...trackDetailOptions(id ?? ''), enabled: id !== undefined }).data
}
