// Queries and mutations of playlists. Each mutation invalidates the queries that show the playlist.
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { CallInput } from '#contract/endpoint.ts'
import {
  addTrackToPlaylist,
  createPlaylist,
  deletePlaylist,
  getPlaylist,
  listPlaylists,
  removeTrackFromPlaylist,
  restorePlaylist,
  updatePlaylist,
  type Playlist,
} from '#contract/playlists.ts'
import type { TrackChange } from '#contract/fields/track-changes.ts'
import { call } from '../../../base/api/api.ts'
import { readDownloadedPlaylist } from '../../../base/offline-store/read-downloads.ts'
import { downloadedTracksId } from '../../../base/offline-store/downloaded-songs.ts'
import {
  fromDownloads,
  withDownloadFallback,
} from '../../../base/offline-store/download-fallback.ts'
import { newUuid } from '../../player/queue/player-id.ts'
import { sendInParts } from './send-in-parts.ts'
import { playlistTracksKey } from './track-queries.ts'

export type PlaylistScope = 'own' | 'shared' | 'curated' | 'public'

const playlistListKey = ['playlists', 'list'] as const
const playlistKey = ['playlists', 'one'] as const
const playlistPageSize = 200
const usualStaleMs = 30_000

/**
 * One kind of playlists, newest first: the user's own, those shared with them, curated ones, or other members' public
 * ones.
 */
export function playlistListOptions(scope: PlaylistScope, q = '') {
  return infiniteQueryOptions({
    queryKey: [...playlistListKey, scope, q] as const,
    queryFn: ({ pageParam, signal }) =>
      call(
        listPlaylists,
        {
          query: {
            scope,
            limit: playlistPageSize,
            ...(q && { q }),
            ...(pageParam && { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
}

export function playlistOptions(id: string) {
  return queryOptions({
    queryKey: [...playlistKey, id] as const,
    queryFn: withDownloadFallback(
      ({ signal }) =>
        id === downloadedTracksId
          ? fromDownloads(() => readDownloadedPlaylist(id))
          : call(getPlaylist, { params: { id } }, { signal }),
      () => readDownloadedPlaylist(id),
    ),
    // A smart playlist can change with every like and play, so its cached data is always stale.
    staleTime: ({ state }: { state: { data: Playlist | undefined } }) =>
      state.data?.is_smart ? 0 : usualStaleMs,
  })
}

export function useCreatePlaylist() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CallInput<typeof createPlaylist>['body']) => call(createPlaylist, { body }),
    async onSuccess(playlist) {
      queryClient.setQueryData(playlistOptions(playlist.id).queryKey, playlist)
      await queryClient.invalidateQueries({ queryKey: playlistListKey })
    },
  })
}

export function useUpdatePlaylist(id: string) {
  const queryClient = useQueryClient()
  const operations = useRef(new Map<string, string>())
  return useMutation({
    mutationFn: (body: CallInput<typeof updatePlaylist>['body']) =>
      sendInParts(body, (part) => sendOnce(operations.current, id, part)),
    async onSuccess(playlist, body) {
      queryClient.setQueryData(playlistOptions(id).queryKey, playlist)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: playlistListKey }),
        (body.track_changes ?? body.rules) &&
          queryClient.invalidateQueries({ queryKey: [...playlistTracksKey, id] }),
      ])
    },
  })
}

type UpdateBody = CallInput<typeof updatePlaylist>['body']

/**
 * Sends a change of the tracks with an operation id. If the response was lost, the retry has the same id, so the server
 * applies the change only once. `operations` holds the ids of changes without a response.
 */
async function sendOnce(operations: Map<string, string>, id: string, part: UpdateBody) {
  if (!part.track_changes) return call(updatePlaylist, { params: { id }, body: part })
  const key = JSON.stringify(part)
  const operation_id = operations.get(key) ?? newUuid()
  operations.set(key, operation_id)
  const answer = await call(updatePlaylist, { params: { id }, body: { ...part, operation_id } })
  operations.delete(key)
  return answer
}

export function useDeletePlaylist() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deletePlaylist, { params: { id } }),
    async onSuccess(_, id) {
      await queryClient.invalidateQueries({ queryKey: playlistListKey })
      queryClient.removeQueries({ queryKey: playlistOptions(id).queryKey })
      queryClient.removeQueries({ queryKey: [...playlistTracksKey, id] })
    },
  })
}

export function useRestorePlaylist() {
  const queryClient = useQueryClient()
  return async (id: string) => {
    await call(restorePlaylist, { params: { id } })
    await refreshPlaylist(queryClient, id)
  }
}

export function useAddTrackToPlaylist() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ playlistId, trackId }: { playlistId: string; trackId: string }) =>
      call(addTrackToPlaylist, { params: { id: playlistId }, body: { track_id: trackId } }),
    onSuccess: (_, { playlistId }) => refreshPlaylist(queryClient, playlistId),
  })
}

/** Adds or removes many tracks atomically. */
export function useChangePlaylistTracks() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ playlistId, changes }: { playlistId: string; changes: TrackChange[] }) =>
      call(updatePlaylist, { params: { id: playlistId }, body: { track_changes: changes } }),
    onSuccess: (_, { playlistId }) => refreshPlaylist(queryClient, playlistId),
  })
}

export function useRemoveTrackFromPlaylist() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ playlistId, trackId }: { playlistId: string; trackId: string }) =>
      call(removeTrackFromPlaylist, { params: { id: playlistId, track_id: trackId } }),
    onSuccess: (_, { playlistId }) => refreshPlaylist(queryClient, playlistId),
  })
}

/** Refetches a playlist. Call after its tracks, count, duration or covers have changed. */
export async function refreshPlaylist(queryClient: QueryClient, id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: playlistListKey }),
    queryClient.invalidateQueries({ queryKey: playlistOptions(id).queryKey }),
    queryClient.invalidateQueries({ queryKey: [...playlistTracksKey, id] }),
  ])
}
