// Likes and unlikes tracks. Invariant: every like button shows the latest press immediately, and in the end the
// server's state. A response to a request sent before the press does not revert it.
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
import type { ReleaseDetail } from '#contract/releases.ts'
import { likeTrack, unlikeTrack, type listTracks, type Track } from '#contract/tracks.ts'
import { call } from '../../base/api/api.ts'
import { sessionQuery } from '../../base/session/session.ts'
import { showError } from '../../base/api/show-error.ts'
import { trackDetailOptions } from '../player/playback/track-detail.ts'
import { recentlyPlayedQuery } from './queries/recent-queries.ts'
import { releaseKey } from './queries/release-queries.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { playlistTracksKey, trackListKey, type TrackFilters } from './queries/track-queries.ts'

/** Likes or unlikes a track. Reverts with a message if the server rejects it. */
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
  /** The last state that the server confirmed. */
  confirmed: boolean
  /** The latest request to the server. */
  saved: Promise<void>
  release: () => void
}

/** The likes, by track, that pending responses may not contain yet. */
const held = new Map<string, Heart>()

/** Sends a like or unlike, and shows the server's state if no newer press is pending. The promise never rejects. */
async function like(queryClient: QueryClient, id: string, liked: boolean): Promise<void> {
  const heart = held.get(id) ?? hold(queryClient, id, !liked)
  const show = (isLiked: boolean) => {
    heart.shown = isLiked
    setLiked(queryClient, [id], isLiked)
  }
  show(liked)
  // Requests run one after another, so that the server ends with the state of the last press.
  const saved = heart.saved.then(() => save(queryClient, heart, id, liked))
  heart.saved = saved
  const isNewest = () => held.get(id) === heart && heart.saved === saved
  await saved
  if (!isNewest()) return
  show(heart.confirmed)
  await Promise.allSettled(pendingResponses(queryClient))
  if (isNewest()) heart.release()
}

async function save(
  queryClient: QueryClient,
  heart: Heart,
  id: string,
  liked: boolean,
): Promise<void> {
  // The user has signed out.
  if (held.get(id) !== heart) return
  try {
    await call(liked ? likeTrack : unlikeTrack, { params: { id } })
  } catch (error) {
    showError(error)
    return
  }
  heart.confirmed = liked
  showToast({ title: liked ? 'Added to liked tracks' : 'Removed from liked tracks' })
  // Refetch the list of liked tracks only now: the row must not disappear if the server rejects the change.
  void refreshLikedLists(queryClient)
}

/**
 * Reapplies the shown like to every response that arrives, until it is released or another user signs in. Otherwise,
 * responses requested earlier would show the old state.
 */
function hold(queryClient: QueryClient, id: string, confirmed: boolean): Heart {
  const personId = getUserId(queryClient)
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated') return
    if (getUserId(queryClient) !== personId) heart.release()
    else if (query.queryKey[0] === trackListKey[0]) setLiked(queryClient, [id], heart.shown)
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

function pendingResponses(queryClient: QueryClient): Promise<unknown>[] {
  const activeListFilters = { queryKey: trackListKey.slice(0, 1), fetchStatus: 'fetching' } as const
  return queryClient
    .getQueryCache()
    .findAll(activeListFilters)
    .flatMap(({ promise }) => promise ?? [])
}

function getUserId(queryClient: QueryClient): string | undefined {
  return queryClient.getQueryData<Profile | null>(sessionQuery.queryKey)?.id
}

function isLikedList({ queryKey }: { queryKey: QueryKey }): boolean {
  return (queryKey[trackListKey.length] as TrackFilters).liked === true
}

/** Refetches the lists of liked tracks and the smart playlists, whose rules can depend on likes. */
export async function refreshLikedLists(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: trackListKey, predicate: isLikedList }),
    queryClient.invalidateQueries({
      queryKey: playlistTracksKey,
      predicate: ({ meta }) => meta?.isSmart === true,
    }),
  ])
}

/**
 * Sets the like state of tracks in all cached responses. Unchanged objects keep their identity, so that their
 * components don't rerender.
 */
export function setLiked(
  queryClient: QueryClient,
  ids: readonly string[],
  is_liked: boolean,
): void {
  const changed = new Set(ids)
  const isOther = (track: Track) => changed.has(track.id) && track.is_liked !== is_liked
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
  for (const id of ids) {
    queryClient.setQueryData(trackDetailOptions(id).queryKey, (detail) =>
      detail && detail.is_liked !== is_liked ? { ...detail, is_liked } : undefined,
    )
  }
  queryClient.setQueryData<Track[]>(recentlyPlayedQuery.queryKey, (tracks) =>
    tracks?.some(isOther) ? tracks.map(patch) : undefined,
  )
  queryClient.setQueriesData<ReleaseDetail>({ queryKey: releaseKey }, (release) =>
    release?.tracks.some(isOther)
      ? {
          ...release,
          tracks: release.tracks.map((track) => (isOther(track) ? { ...track, is_liked } : track)),
        }
      : undefined,
  )
  queryClient.setQueriesData<Output<typeof listPlaylistTracks>>(
    { queryKey: playlistTracksKey },
    (page) =>
      page?.data.some(({ track }) => isOther(track))
        ? { ...page, data: page.data.map((entry) => ({ ...entry, track: patch(entry.track) })) }
        : undefined,
  )
}
