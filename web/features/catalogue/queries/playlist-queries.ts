// Queries and mutations of playlists. Each mutation invalidates the queries that show the playlist.
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
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
} from '#contract/playlists.ts'
import type { TrackChange } from '#contract/fields/track-changes.ts'
import { call } from '../../../base/api/api.ts'
import { keptPlaylist } from '../../../base/offline-store/kept-answers.ts'
import { orKept } from '../../../base/offline-store/or-kept.ts'
import { sendInParts } from './track-changes-between.ts'
import { playlistTracksKey } from './track-queries.ts'

export type PlaylistScope = 'own' | 'curated' | 'public'

const playlistListKey = ['playlists', 'list'] as const
const playlistKey = ['playlists', 'one'] as const
const playlistPageSize = 200

/** The user's own, the curated, or other members' public playlists; newest first. */
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
    queryFn: orKept(
      ({ signal }) => call(getPlaylist, { params: { id } }, { signal }),
      () => keptPlaylist(id),
    ),
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
  return useMutation({
    mutationFn: (body: CallInput<typeof updatePlaylist>['body']) =>
      sendInParts(body, (part) => call(updatePlaylist, { params: { id }, body: part })),
    async onSuccess(playlist, body) {
      queryClient.setQueryData(playlistOptions(id).queryKey, playlist)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: playlistListKey }),
        body.track_changes &&
          queryClient.invalidateQueries({ queryKey: [...playlistTracksKey, id] }),
      ])
    },
  })
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

/** Adds or removes many tracks: all or, when it fails, none. */
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

/** Call after its tracks, count, duration or covers have changed. */
async function refreshPlaylist(queryClient: QueryClient, id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: playlistListKey }),
    queryClient.invalidateQueries({ queryKey: playlistOptions(id).queryKey }),
    queryClient.invalidateQueries({ queryKey: [...playlistTracksKey, id] }),
  ])
}
