// Queries and mutations for curated playlists.
import { useQuery } from '@tanstack/react-query'
import {
  changeAdminPlaylists,
  restoreAdminPlaylist,
  type AdminPlaylist,
  type AdminPlaylistDetail,
} from '#contract/admin/admin-playlists.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { showReason } from '../shared/admin-failure.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

type Body = CallInput<typeof changeAdminPlaylists>['body']

export function changePlaylists(body: Body) {
  return call(changeAdminPlaylists, { body })
}

export function useAdminPlaylists() {
  return useQuery({
    queryKey: ['admin', 'playlists'],
    queryFn: async ({ signal }) =>
      (await call(changeAdminPlaylists, { body: { action: 'list' } }, { signal })).playlists ?? [],
  })
}

export function useAdminPlaylist(id: string) {
  return useQuery({
    queryKey: ['admin', 'playlists', id],
    async queryFn({ signal }): Promise<AdminPlaylistDetail> {
      const body: Body = { action: 'get', id }
      const { playlist } = await call(changeAdminPlaylists, { body }, { signal })
      if (!playlist) throw new ApiError('playlist_not_found', 404, 'Playlist not found')
      return playlist
    },
    // Never refetch while the editor is open, because its unsaved changes are based on this data.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

export function useShowPlaylist() {
  return useAdminMutation<AdminPlaylist>({
    run: ({ id, is_visible }) => changePlaylists({ action: 'update', id, is_visible: !is_visible }),
    refresh: ['playlists'],
    // `is_visible` is the playlist's value before the change.
    done: (_, { is_visible }) =>
      is_visible ? 'Playlist is now hidden from members' : 'Playlist is now visible to members',
    failed: (error) => showReason(error, 'Failed to update visibility'),
  })
}

export function useDeletePlaylist(onDone: () => void) {
  return useAdminMutation<AdminPlaylist>({
    run: ({ id }) => changePlaylists({ action: 'delete', id }),
    refresh: ['playlists'],
    done: 'Playlist deleted successfully',
    undo: ({ id, title }) => ({
      name: title,
      restore: () => call(restoreAdminPlaylist, { params: { id } }),
      done: 'Playlist restored',
      failed: 'Failed to restore playlist',
    }),
    onDone,
    failed: (error) => showReason(error, 'Failed to delete playlist'),
  })
}
