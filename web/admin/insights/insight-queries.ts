// The owner's numbers as the screen reads them.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  getInsights,
  getTrackInsights,
  listTopTracks,
  type TopTrackSort,
} from '#contract/insights.ts'
import { call } from '../../app/api.ts'

export interface Days {
  start: string
  end: string
}

/** They are added up once a minute; asking more often tells nothing new. */
const staleTime = 60_000

export function useInsights(days: Days) {
  return useQuery({
    queryKey: ['admin', 'insights', days.start, days.end],
    queryFn: ({ signal }) =>
      call(getInsights, { query: { start: days.start, end: days.end } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })
}

export function useTopTracks(days: Days, sort: TopTrackSort, page: number) {
  return useQuery({
    queryKey: ['admin', 'insights', 'tracks', days.start, days.end, sort, page],
    queryFn: ({ signal }) =>
      call(
        listTopTracks,
        { query: { start: days.start, end: days.end, sort, page, page_size: 10 } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime,
  })
}

export function useTrackInsights(id: string, days: Days) {
  return useQuery({
    queryKey: ['admin', 'insights', 'track', id, days.start, days.end],
    queryFn: ({ signal }) =>
      call(
        getTrackInsights,
        { params: { id }, query: { start: days.start, end: days.end } },
        { signal },
      ),
    enabled: id !== '',
    staleTime,
  })
}
