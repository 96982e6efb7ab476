// Queries for lists of tracks.
import { infiniteQueryOptions, type InfiniteData, type Query } from '@tanstack/react-query'
import type { CallInput, Output } from '#contract/endpoint.ts'
import {
  browsePageSize,
  listTracks,
  type SortDirection,
  type TrackOrder,
} from '#contract/tracks.ts'
import { call } from '../../../base/api/api.ts'

export interface TrackFilters {
  q?: string
  category?: string
  mood?: string
  liked?: boolean
  /** Id of an artist. */
  artist?: string
  order?: TrackOrder
  direction?: SortDirection
}

/** Sort order of a list. Null means the list's default order. */
export type TrackSort = Required<Pick<TrackFilters, 'order' | 'direction'>> | null

type TrackPage = Output<typeof listTracks>
type TrackPages = InfiniteData<TrackPage, string | undefined>

/** Pages after the first are larger, because a user who has started to scroll will probably continue. */
const laterPageSize = 200

export const trackListKey = ['tracks', 'list'] as const
export const playlistTracksKey = ['tracks', 'of-playlist'] as const

/** Options for the query of the tracks that match all filters, in pages. */
export function trackListOptions(filters: TrackFilters) {
  return infiniteQueryOptions({
    queryKey: [...trackListKey, filters] as const,
    queryFn: ({ pageParam, signal }) =>
      call(listTracks, { query: trackListQuery(filters, pageParam) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  })
}

/** Returns the query parameters of one page. */
export function trackListQuery(
  { q, category, mood, liked, artist, order, direction }: TrackFilters,
  cursor: string | undefined,
): NonNullable<CallInput<typeof listTracks>['query']> {
  return {
    limit: cursor ? laterPageSize : browsePageSize,
    ...(q && { q }),
    ...(category && { category }),
    ...(mood && { mood }),
    ...(liked && { liked: 'true' }),
    ...(artist && { artist }),
    ...(order && { order }),
    ...(direction && { direction }),
    ...(cursor && { cursor }),
  }
}

/**
 * True for lists of at most two pages. A refetch requests the pages of a list one after another, so longer lists are
 * not refetched.
 */
function isShort<Key extends readonly unknown[]>(
  query: Query<TrackPage, Error, TrackPages, Key>,
): boolean {
  return (query.state.data?.pages.length ?? 0) <= 2
}
