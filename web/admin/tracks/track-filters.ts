// Filters and sort orders of the track lists, stored in the URL.
import type { CallInput } from '#contract/endpoint.ts'
import type { listAdminTracks } from '#contract/admin/admin-tracks.ts'
import { useUrlFilters, type UrlFilters } from '../shared/lists/use-url-filters.ts'

type Query = NonNullable<CallInput<typeof listAdminTracks>['query']>
export type TrackSort = NonNullable<Query['sort']>

const names = ['q', 'category', 'genre', 'published', 'state', 'sort', 'direction'] as const

export type TrackFilters = UrlFilters<(typeof names)[number]>

export function useTrackFilters(): TrackFilters & { query: Query; isNarrowed: boolean } {
  const filters = useUrlFilters(names)
  const { q, category, genre, published, state, sort, direction } = filters.values
  const query = {
    q,
    category,
    genre,
    ...(published === 'true' || published === 'false' || published === ''
      ? { published }
      : { availability: published }),
    ...(state === 'damaged' ? { damaged: 'true' } : { processing_status: state }),
    sort: sort || 'created_at',
    direction: direction || 'desc',
    page: filters.page,
  } as Query
  return {
    ...filters,
    query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')),
    isNarrowed: [q, category, genre, published, state].some(Boolean),
  }
}
