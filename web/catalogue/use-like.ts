// Liking a track, and taking it back. Invariant: from the press on a heart shows the newest wish, wherever
// it stands, and in the end what the server has; an answer asked for before does not bring back what was.
import {
  useQueryClient,
  type InfiniteData,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Output } from '#contract/endpoint.ts'
import type { listPlaylistTracks } from '#contract/playlists.ts'
import type { Profile } from '#contract/profiles.ts'
import { likeTrack, unlikeTrack, type listTracks, type Track } from '#contract/tracks.ts'
import { call } from '../app/api.ts'
import { sessionQuery } from '../app/session.ts'
import { showError } from '../app/show-error.ts'
import { trackDetailOptions } from '../player/track-detail.ts'
import { recentlyPlayedQuery } from '../plays/recent-queries.ts'
import { showToast } from '../ui/toast-store.ts'
import { playlistTracksKey, trackListKey, type TrackFilters } from './track-queries.ts'

/** Likes a track or takes it back; undone with a message when the server refuses. */
export function useLike() {
  const queryClient = useQueryClient()
  const mutate = useCallback(
    ({ id, liked }: { id: string; liked: boolean }) => void like(queryClient, id, liked),
    [queryClient],
  )
  return { mutate }
}

interface Heart {
  shown: boolean
  /** What the server has, as far as it has said. */
  confirmed: boolean
  /** The newest wish on its way to the server. */
  saved: Promise<void>
  release: () => void
}

/** By track: hearts that some answer on its way may not know yet. */
const held = new Map<string, Heart>()

/** Never rejects. */
async function like(queryClient: QueryClient, id: string, liked: boolean): Promise<void> {
  const heart = held.get(id) ?? hold(queryClient, id, !liked)
  const show = (isLiked: boolean) => {
    heart.shown = isLiked
    setLiked(queryClient, id, isLiked)
  }
  show(liked)
  // One after the other, so that the last wish is the one that stays.
  const saved = heart.saved.then(() => save(queryClient, heart, id, liked))
  heart.saved = saved
  const isNewest = () => held.get(id) === heart && heart.saved === saved
  await saved
  if (!isNewest()) return
  show(heart.confirmed)
  await Promise.allSettled(answersOnTheirWay(queryClient))
  if (isNewest()) heart.release()
}

async function save(
  queryClient: QueryClient,
  heart: Heart,
  id: string,
  liked: boolean,
): Promise<void> {
  // Whoever wished it has left.
  if (held.get(id) !== heart) return
  try {
    await call(liked ? likeTrack : unlikeTrack, { params: { id } })
  } catch (error) {
    showError(error)
    return
  }
  heart.confirmed = liked
  showToast({ title: liked ? 'Added to liked tracks' : 'Removed from liked tracks' })
  // The row leaves the list of liked ones only now, so that a refusal moves nothing.
  void queryClient.invalidateQueries({ queryKey: trackListKey, predicate: isLikedList })
}

/**
 * Keeps the heart as it is shown over every answer that arrives, until it is released or somebody else
 * is signed in: one that was asked for earlier, a next page too, is put together with what was there then.
 */
function hold(queryClient: QueryClient, id: string, confirmed: boolean): Heart {
  const personId = personIdOf(queryClient)
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated') return
    if (personIdOf(queryClient) !== personId) heart.release()
    else if (query.queryKey[0] === trackListKey[0]) setLiked(queryClient, id, heart.shown)
  })
  const heart: Heart = {
    shown: confirmed,
    confirmed,
    saved: Promise.resolve(),
    release() {
      unsubscribe()
      if (held.get(id) === heart) held.delete(id)
    },
  }
  held.set(id, heart)
  return heart
}

function answersOnTheirWay(queryClient: QueryClient): Promise<unknown>[] {
  const asking = { queryKey: trackListKey.slice(0, 1), fetchStatus: 'fetching' } as const
  return queryClient
    .getQueryCache()
    .findAll(asking)
    .flatMap(({ promise }) => promise ?? [])
}

function personIdOf(queryClient: QueryClient): string | undefined {
  return queryClient.getQueryData<Profile | null>(sessionQuery.queryKey)?.id
}

function isLikedList({ queryKey }: { queryKey: QueryKey }): boolean {
  return (queryKey[trackListKey.length] as TrackFilters).liked === true
}

/** What says so already stays the same object, so that nothing that shows it draws again. */
function setLiked(queryClient: QueryClient, id: string, is_liked: boolean): void {
  const isOther = (track: Track) => track.id === id && track.is_liked !== is_liked
  const patch = (track: Track) => (isOther(track) ? { ...track, is_liked } : track)
  queryClient.setQueriesData<InfiniteData<Output<typeof listTracks>>>(
    { queryKey: trackListKey },
    (list) => {
      if (!list?.pages.some(({ data }) => data.some(isOther))) return undefined
      const pages = list.pages.map((page) =>
        page.data.some(isOther) ? { ...page, data: page.data.map(patch) } : page,
      )
      return { ...list, pages }
    },
  )
  queryClient.setQueryData(trackDetailOptions(id).queryKey, (detail) =>
    detail && detail.is_liked !== is_liked ? { ...detail, is_liked } : undefined,
  )
  queryClient.setQueryData<Track[]>(recentlyPlayedQuery.queryKey, (tracks) =>
    tracks?.some(isOther) ? tracks.map(patch) : undefined,
  )
  queryClient.setQueriesData<Output<typeof listPlaylistTracks>>(
    { queryKey: playlistTracksKey },
    (page) =>
      page?.data.some(({ track }) => isOther(track))
        ? { ...page, data: page.data.map((entry) => ({ ...entry, track: patch(entry.track) })) }
        : undefined,
  )
}
