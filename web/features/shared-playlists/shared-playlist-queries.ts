// Queries and mutations for the members of a playlist.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  acceptPlaylistInvitation,
  changePlaylistMember,
  createPlaylistInvitation,
  invitationHash,
  listPlaylistMembers,
  openPlaylistInvitation,
  removePlaylistMember,
  revokePlaylistInvitation,
  undoPlaylistChange,
  type MemberRole,
} from '#contract/shared-playlists.ts'
import { call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { refreshPlaylist } from '../catalogue/queries/playlist-queries.ts'

export function membersOptions(id: string) {
  return queryOptions({
    queryKey: ['playlists', 'members', id] as const,
    queryFn: ({ signal }) => call(listPlaylistMembers, { params: { id } }, { signal }),
  })
}

export function invitationOptions(token: string) {
  return queryOptions({
    queryKey: ['playlists', 'invitation', token] as const,
    queryFn: ({ signal }) => call(openPlaylistInvitation, { body: { token } }, { signal }),
    retry: false,
  })
}

/** Returns the URL of an invitation. */
export function invitationLink(token: string): string {
  return new URL(`/my-playlists${invitationHash}${token}`, location.origin).href
}

/** Runs a change of the members, then refetches the playlist. Shows an error if it fails. */
function usePeopleMutation<Input, Answer>(id: string, run: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: run,
    onError: (error) => showError(error),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: membersOptions(id).queryKey }),
        refreshPlaylist(queryClient, id),
      ]),
  })
}

export function useCreateInvitation(id: string) {
  return usePeopleMutation(id, (role: MemberRole) =>
    call(createPlaylistInvitation, { params: { id }, body: { role } }),
  )
}

export function useRevokeInvitation(id: string) {
  return usePeopleMutation(id, (role: MemberRole) =>
    call(revokePlaylistInvitation, { params: { id, role } }),
  )
}

export function useChangeMember(id: string) {
  return usePeopleMutation(id, ({ user_id, role }: { user_id: string; role: MemberRole }) =>
    call(changePlaylistMember, { params: { id, user_id }, body: { role } }),
  )
}

export function useRemoveMember(id: string) {
  return usePeopleMutation(id, (user_id: string) =>
    call(removePlaylistMember, { params: { id, user_id } }),
  )
}

export function useAcceptInvitation() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => call(acceptPlaylistInvitation, { body: { token } }),
    onSuccess: (playlist) => refreshPlaylist(queryClient, playlist.id),
  })
}

export function useUndoChange(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(undoPlaylistChange, { params: { id } }),
    onSuccess: () => refreshPlaylist(queryClient, id),
  })
}
