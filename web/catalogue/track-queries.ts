// Lists of tracks from the server, and liking one: every list that shows it changes at once.
import {
  infiniteQueryOptions,
  useQueryClient,
  type InfiniteData,
  type Query,
  type QueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import type { CallInput, Output } from '#contract/endpoint.ts'
import type { listPlaylistTracks } from '#contract/playlists.ts'
import { browsePageSize, likeTrack, listTracks, unlikeTrack, type Track } from '#contract/tracks.ts'
import { call } from '../app/api.ts'
import { trackDetailOptions } from '../player/track-detail.ts'
import { showError } from '../app/show-error.ts'
import { showToast } from '../ui/toast-store.ts'

export interface TrackFilters {
  q?: string
  category?: string
  liked?: boolean
  order?: 'newest' | 'title'
}

type TrackPage = Output<typeof listTracks>
type TrackPages = InfiniteData<TrackPage, string | undefined>
type PlaylistTrackPage = Output<typeof listPlaylistTracks>

/** Pages after the first are larger: whoever scrolls wants to go far. */
const laterPageSize = 200

export const trackListKey = ['tracks', 'list'] as const
export const playlistTracksKey = ['tracks', 'of-playlist'] as const

/** Tracks that match all filters, page after page. */
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

/** The query of one page. */
export function trackListQuery(
  { q, category, liked, order }: TrackFilters,
  cursor: string | undefined,
): NonNullable<CallInput<typeof listTracks>['query']> {
  return {
    limit: cursor ? laterPageSize : browsePageSize,
    ...(q && { q }),
    ...(category && { category }),
    ...(liked && { liked: 'true' }),
    ...(order && { order }),
    ...(cursor && { cursor }),
  }
}

/** Asking again for a list means asking for each of its pages in turn: not for long ones. */
function isShort<Key extends readonly unknown[]>(
  query: Query<TrackPage, Error, TrackPages, Key>,
): boolean {
  return (query.state.data?.pages.length ?? 0) <= 2
}

/** Likes a track or takes it back; undone with a message when the server refuses. */
export function useLike() {
  const queryClient = useQueryClient()
  const mutate = useCallback(
    ({ id, liked }: { id: string; liked: boolean }) => {
      setLiked(queryClient, id, liked)
      // One after the other, so that the last wish is the one that stays.
      const saved = (saving.get(id) ?? Promise.resolve()).then(() =>
        saveLike(queryClient, id, liked),
      )
      saving.set(id, saved)
      void saved.then(() => {
        if (saving.get(id) === saved) saving.delete(id)
      })
    },
    [queryClient],
  )
  return { mutate }
}

/** By track: the newest wish on its way to the server. */
const saving = new Map<string, Promise<void>>()

/** Never rejects. */
async function saveLike(queryClient: QueryClient, id: string, liked: boolean): Promise<void> {
  try {
    await call(liked ? likeTrack : unlikeTrack, { params: { id } })
  } catch (error) {
    setLiked(queryClient, id, !liked)
    showError(error)
    return
  }
  showToast({ title: liked ? 'Added to liked tracks' : 'Removed from liked tracks' })
  // The row leaves the list of liked ones only now, so that a refusal moves nothing.
  await queryClient.invalidateQueries({ queryKey: trackListKey, predicate: isLikedList })
}

function isLikedList({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return (queryKey[trackListKey.length] as TrackFilters).liked === true
}

function setLiked(queryClient: QueryClient, id: string, is_liked: boolean): void {
  const patch = (track: Track) => (track.id === id ? { ...track, is_liked } : track)
  queryClient.setQueriesData<TrackPages>(
    { queryKey: trackListKey },
    (list) => list && { ...list, pages: list.pages.map((page) => patchPage(page, id, patch)) },
  )
  queryClient.setQueryData(
    trackDetailOptions(id).queryKey,
    (detail) => detail && { ...detail, is_liked },
  )
  queryClient.setQueriesData<PlaylistTrackPage>({ queryKey: playlistTracksKey }, (page) =>
    page?.data.some((entry) => entry.track.id === id)
      ? { ...page, data: page.data.map((entry) => ({ ...entry, track: patch(entry.track) })) }
      : page,
  )
}

/** Pages without the track stay the same object, so that nothing that shows them draws again. */
function patchPage(page: TrackPage, id: string, patch: (track: Track) => Track): TrackPage {
  return page.data.some((track) => track.id === id) ? { ...page, data: page.data.map(patch) } : page
}
