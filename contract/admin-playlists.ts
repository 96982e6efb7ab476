// The curated playlists of the house: one address, the act named in the body.
import * as z from 'zod/mini'
import { coverFields } from './cover-fields.ts'
import { endpoint } from './endpoint.ts'
import { pictureErrors } from './pictures.ts'
import { track } from './tracks.ts'

export const adminPlaylist = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.nullable(z.string()),
  ...coverFields,
  is_curated: z.boolean(),
  is_visible: z.boolean(),
  is_public: z.boolean(),
  created_by: z.nullable(z.uuid()),
  created_at: z.string(),
  track_count: z.number(),
})
export type AdminPlaylist = z.infer<typeof adminPlaylist>

const playlistEntryTrack = z.extend(
  z.pick(track, {
    id: true,
    title: true,
    artist: true,
    duration: true,
    cover_url: true,
    cover_tint: true,
    cover_placeholder: true,
  }),
  { is_published: z.boolean() },
)

export const adminPlaylistDetail = z.extend(adminPlaylist, {
  playlist_tracks: z.array(
    z.object({ id: z.uuid(), order_index: z.number(), track: playlistEntryTrack }),
  ),
})
export type AdminPlaylistDetail = z.infer<typeof adminPlaylistDetail>

const title = z.string().check(z.trim(), z.minLength(1, 'Title is required'), z.maxLength(200))
const description = z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(2000))))
const cover_path = z.optional(z.nullable(z.string().check(z.maxLength(300))))

export const changeAdminPlaylists = endpoint({
  method: 'POST',
  path: '/api/admin-playlists',
  summary:
    'list, get, create, update (with track_ids: the tracks in order, all at once) or delete.',
  access: 'admin',
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('list') }),
    z.object({ action: z.literal('get'), id: z.uuid() }),
    z.object({
      action: z.literal('create'),
      title,
      description,
      cover_path,
      is_curated: z._default(z.boolean(), true),
    }),
    z.object({
      action: z.literal('update'),
      id: z.uuid(),
      title: z.optional(title),
      description,
      cover_path,
      is_curated: z.optional(z.boolean()),
      is_visible: z.optional(z.boolean()),
      track_ids: z.optional(z.array(z.uuid()).check(z.maxLength(50_000))),
    }),
    z.object({ action: z.literal('delete'), id: z.uuid() }),
  ]),
  /** `playlists` answers list, `playlist` answers get, create and update; delete answers with neither. */
  output: z.object({
    playlists: z.optional(z.array(adminPlaylist)),
    playlist: z.optional(adminPlaylistDetail),
  }),
  errors: ['playlist_not_found', 'track_not_found', 'track_already_in_playlist', ...pictureErrors],
})
