// Queries for artists. Below the 'tracks' key, so that a change of the catalogue refetches them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getArtist, listArtists } from '#contract/artists.ts'
import { call } from '../../../base/api/api.ts'

/** One artist by slug or id. */
export function artistOptions(slug: string) {
  return queryOptions({
    queryKey: ['tracks', 'artist', slug] as const,
    queryFn: ({ signal }) => call(getArtist, { params: { id: slug } }, { signal }),
  })
}

export function artistListOptions(q: string) {
  return infiniteQueryOptions({
    queryKey: ['tracks', 'artists', q] as const,
    queryFn: ({ pageParam, signal }) =>
      call(
        listArtists,
        { query: { ...(q && { q }), ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
}
