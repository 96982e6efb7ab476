// Playlists shared by several people. The owner invites them with a link, as editors or as viewers.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { endpoint } from './endpoint.ts'
import { playlist, playlistParams } from './playlists.ts'
import { hour, type CallLimit } from './rate-limit.ts'

/** An editor can change the tracks. A viewer can only listen. */
export const memberRoles = ['editor', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]

/** Maximum number of people who share a playlist, excluding the owner. */
export const maxPlaylistMembers = 50
/** How many days an invitation link is valid. */
export const invitationDays = 14
/**
 * The URL fragment that carries the token. Browsers do not send fragments to servers, so it appears in no log and is
 * not passed to other sites.
 */
export const invitationHash = '#invite='

const role = z.enum(memberRoles)
const tokenBody = z.object({ token: z.string().check(z.minLength(20), z.maxLength(100)) })

const invitationLimit = {
  name: 'playlist-invitation',
  per: 'account',
  count: 60,
  seconds: hour,
} as const satisfies CallLimit

/** Public data of the people who share a playlist, as they see each other. Contains no email address. */
export const playlistMember = z.object({
  id: z.uuid(),
  display_name: z.string().check(z.describe('Empty if the person has set none.')),
  avatar_url: z.nullable(z.string()),
  role: z.enum(['owner', ...memberRoles]),
  is_you: z.boolean(),
  joined_at: z.nullable(timestamp).check(z.describe('Null for the owner.')),
})
export type PlaylistMember = z.infer<typeof playlistMember>

export const playlistInvitation = z.object({
  role,
  created_at: timestamp,
  expires_at: timestamp,
})
export type PlaylistInvitation = z.infer<typeof playlistInvitation>

export const listPlaylistMembers = endpoint({
  method: 'GET',
  path: '/api/playlists/:id/members',
  summary:
    'The people who share a playlist, the owner first. Only these people can read the list, and only the owner receives the valid links.',
  access: 'member',
  params: playlistParams,
  output: z.object({ data: z.array(playlistMember), invitations: z.array(playlistInvitation) }),
  errors: ['playlist_not_found'],
})

export const createPlaylistInvitation = endpoint({
  method: 'POST',
  path: '/api/playlists/:id/invitations',
  summary: `Create a link with which people can join as editors or viewers for ${invitationDays} days. Smart playlists allow only viewers. The link replaces the previous one for the role. This is the only response that contains the token.`,
  access: 'member',
  creates: true,
  params: playlistParams,
  body: z.object({ role }),
  output: z.object({ ...playlistInvitation.shape, token: z.string() }),
  rateLimit: invitationLimit,
  errors: ['playlist_not_found', 'playlist_owner_only', 'playlist_is_smart'],
})

export const revokePlaylistInvitation = endpoint({
  method: 'DELETE',
  path: '/api/playlists/:id/invitations/:role',
  summary: 'Revoke the link for a role. People who joined with it keep their access.',
  access: 'member',
  params: z.object({ id: z.uuid(), role }),
  errors: ['playlist_not_found', 'playlist_owner_only', 'invitation_invalid'],
})

export const openPlaylistInvitation = endpoint({
  method: 'POST',
  path: '/api/playlist-invitations/open',
  summary: 'The contents of an invitation link, before it is accepted. Changes nothing.',
  access: 'member',
  body: tokenBody,
  output: z.object({
    playlist_id: z.uuid(),
    title: z.string(),
    track_count: z.number(),
    owner_name: z.string().check(z.describe('Empty if the owner has set none.')),
    role,
    own_role: z
      .nullable(z.enum(['owner', ...memberRoles]))
      .check(z.describe("The caller's current role in this playlist.")),
  }),
  rateLimit: invitationLimit,
  errors: ['invitation_invalid'],
})

export const acceptPlaylistInvitation = endpoint({
  method: 'POST',
  path: '/api/playlist-invitations/accept',
  summary:
    'Join a playlist with a link. If a viewer uses the link for editors, they become an editor.',
  access: 'member',
  body: tokenBody,
  output: playlist,
  rateLimit: invitationLimit,
  errors: ['invitation_invalid', 'too_many_playlist_members'],
})

export const changePlaylistMember = endpoint({
  method: 'PATCH',
  path: '/api/playlists/:id/members/:user_id',
  summary: "Change a person's role to editor or viewer.",
  access: 'member',
  params: z.object({ id: z.uuid(), user_id: z.uuid() }),
  body: z.object({ role }),
  errors: [
    'playlist_not_found',
    'playlist_owner_only',
    'playlist_is_smart',
    'playlist_member_not_found',
  ],
})

export const removePlaylistMember = endpoint({
  method: 'DELETE',
  path: '/api/playlists/:id/members/:user_id',
  summary:
    'Leave a playlist. If called by the owner, remove a person and revoke the links. Tracks that the person added are kept.',
  access: 'member',
  params: z.object({ id: z.uuid(), user_id: z.uuid() }),
  errors: ['playlist_not_found', 'playlist_owner_only', 'playlist_member_not_found'],
})

export const undoPlaylistChange = endpoint({
  method: 'POST',
  path: '/api/playlists/:id/undo',
  summary:
    'Undo the caller’s last change to the tracks of a shared playlist, within a day. Later changes by others are preserved.',
  access: 'member',
  params: playlistParams,
  output: playlist,
  errors: [
    'playlist_not_found',
    'playlist_read_only',
    'playlist_is_smart',
    'track_limit_reached',
    'owner_track_limit_reached',
    'undo_expired',
  ],
})
