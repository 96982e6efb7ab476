// Queries for the Insights screen.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  getInsights,
  getTrackInsights,
  listEarlyAccess,
  listPageInsights,
  listTopTracks,
  type Figures,
  type TopTrackSort,
} from '#contract/admin/insights.ts'
import { getMembershipInsights } from '#contract/admin/money/membership-insights.ts'
import { call } from '../../base/api/api.ts'

export interface Days {
  start: string
  end: string
  figures: Figures
}

/** The server aggregates once a minute, so fetching more often returns nothing new. */
const staleTime = 60_000

export function useInsights(days: Days) {
  return useQuery({
    queryKey: ['admin', 'insights', days],
    queryFn: ({ signal }) => call(getInsights, { query: days }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })
}

export function useTopTracks(days: Days, sort: TopTrackSort, page: number) {
  return useQuery({
    queryKey: ['admin', 'insights', 'tracks', days, sort, page],
    queryFn: ({ signal }) =>
      call(listTopTracks, { query: { ...days, sort, page, page_size: 10 } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })
}

export function useEarlyAccess(days: Days, page: number) {
  return useQuery({
    queryKey: ['admin', 'insights', 'early-access', days, page],
    queryFn: ({ signal }) => call(listEarlyAccess, { query: { ...days, page } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })
}

export function useTrackInsights(id: string, days: Days) {
  return useQuery({
    queryKey: ['admin', 'insights', 'track', id, days],
    queryFn: ({ signal }) => call(getTrackInsights, { params: { id }, query: days }, { signal }),
    enabled: id !== '',
    staleTime,
  })
}

export function usePageInsights({ start, end }: Days, page: number) {
  return useQuery({
    queryKey: ['admin', 'insights', 'pages', start, end, page],
    queryFn: ({ signal }) =>
      call(listPageInsights, { query: { start, end, page, page_size: 10 } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })
}

export function useMembershipInsights({ start, end }: Days) {
  return useQuery({
    queryKey: ['admin', 'insights', 'membership', start, end],
    queryFn: ({ signal }) => call(getMembershipInsights, { query: { start, end } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })
}
