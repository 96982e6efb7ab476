// Queries for artists in the back office.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getAdminArtist, listAdminArtists } from '#contract/admin/admin-artists.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { useSettled } from '../../base/ui/layout/use-settled.ts'

type ArtistQuery = NonNullable<CallInput<typeof listAdminArtists>['query']>

export function useAdminArtists(query: ArtistQuery) {
  return useQuery({
    queryKey: ['admin', 'artists', query],
    queryFn: ({ signal }) => call(listAdminArtists, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function useAdminArtist(id: string) {
  return useQuery({
    queryKey: ['admin', 'artists', 'one', id],
    queryFn: ({ signal }) => call(getAdminArtist, { params: { id } }, { signal }),
    enabled: id !== '',
  })
}

const debounceMs = 160

/** Finds artists whose name contains the typed text. */
export function useFoundArtists(text: string) {
  const wanted = text.trim()
  const q = useSettled(wanted, debounceMs)
  const query = { q, page_size: 8, sort: 'track_count', direction: 'desc' } as const
  const found = useQuery({
    queryKey: ['admin', 'artists', query],
    queryFn: ({ signal }) => call(listAdminArtists, { query }, { signal }),
    placeholderData: keepPreviousData,
    enabled: q !== '',
  })
  return {
    artists: wanted === '' ? [] : (found.data?.data ?? []),
    isSearching: wanted !== q || found.isFetching,
  }
}
