// Queries for artists. Their keys start with 'tracks', so that a change of the catalogue refetches them.
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import {
  followArtist,
  getArtist,
  listArtists,
  unfollowArtist,
  type ArtistDetail,
} from '#contract/artists.ts'
import { call } from '../../../base/api/api.ts'
import { showError } from '../../../base/api/show-error.ts'

/** Options for the query of one artist, by slug or id. */
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

const followedKey = ['tracks', 'artists', 'followed'] as const

/** The artists that the member follows, sorted by name. */
export const followedArtistsOptions = infiniteQueryOptions({
  queryKey: followedKey,
  queryFn: ({ pageParam, signal }) =>
    call(
      listArtists,
      { query: { followed: 'true', ...(pageParam && { cursor: pageParam }) } },
      { signal },
    ),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next_cursor ?? undefined,
})

/**
 * Follows or unfollows an artist. The change is shown immediately, and rolled back with a message if the server rejects
 * it.
 */
export function useFollowArtist() {
  const queryClient = useQueryClient()
  const show = (id: string, is_followed: boolean) =>
    queryClient.setQueriesData<ArtistDetail>({ queryKey: ['tracks', 'artist'] }, (artist) =>
      artist?.id === id ? { ...artist, is_followed } : undefined,
    )
  return useMutation({
    mutationFn: ({ id, followed }: { id: string; followed: boolean }) =>
      call(followed ? followArtist : unfollowArtist, { params: { id } }),
    // Requests run one after another, so that the server ends with the state of the user's last press.
    scope: { id: 'follow-artist' },
    onMutate: ({ id, followed }) => void show(id, followed),
    onError(error, { id, followed }) {
      show(id, !followed)
      showError(error)
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: followedKey }),
  })
}
