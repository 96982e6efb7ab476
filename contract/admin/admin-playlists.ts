// Curated playlists. All actions share one path, and the request body names the action.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { premiumMarks } from '../fields/availability.ts'
import { availabilityFields, availabilityInput } from '../availability-input.ts'
import { cleanName } from '../fields/clean-name.ts'
import { coverFields } from '../fields/cover-fields.ts'
import { describeShape, mergeShapes } from '../response-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { pictureErrors } from '../fields/pictures.ts'
import { trackChanges } from '../fields/track-changes.ts'
import { track } from '../tracks.ts'
import { readVersion, version } from '../fields/versions.ts'
import { pictureLimit } from '../rate-limit.ts'

export const adminPlaylist = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.nullable(z.string()),
  ...coverFields,
  is_curated: z.boolean(),
  is_visible: z.boolean(),
  is_public: z.boolean(),
  created_by: z.nullable(z.uuid()),
  created_at: timestamp,
  track_count: z.number(),
  ...availabilityFields,
  ...premiumMarks,
  version: version.check(
    z.describe(
      'Covers the title, description, cover, the three switches and availability. Track changes do not increment it; they are sent as operations.',
    ),
  ),
})
export type AdminPlaylist = z.infer<typeof adminPlaylist>

const playlistEntryTrack = z.extend(
  z.pick(track, {
    id: true,
    title: true,
    artist: true,
    duration: true,
    explicit: true,
    ai_disclosure: true,
    loudness_lufs: true,
    true_peak_dbtp: true,
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

const title = z
  .string()
  .check(z.overwrite(cleanName), z.minLength(1, 'Title is required'), z.maxLength(200))
const description = z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(2000))))
const cover_path = z.optional(z.nullable(z.string().check(z.maxLength(300))))

export const changeAdminPlaylists = endpoint({
  method: 'POST',
  path: '/api/admin-playlists',
  summary:
    'The action is `list`, `get`, `create`, `update` or `delete`. To update the tracks, send `track_changes` to add, move and remove tracks, or `track_ids` to set all of them in order.',
  access: 'editor',
  versionAt: 'playlist.version',
  creates: { action: ['create'] },
  needsConfirmation: { action: ['delete'] },
  audit: { playlist: ['create', 'update', 'delete'] },
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('list') }),
    z.object({ action: z.literal('get'), id: z.uuid() }),
    z.object({
      action: z.literal('create'),
      title,
      description,
      cover_path,
      is_curated: z._default(z.boolean(), true),
      is_visible: z.optional(z.boolean()),
      ...availabilityInput,
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
      track_changes: z.optional(trackChanges),
      ...availabilityInput,
      version: readVersion,
    }),
    z.object({ action: z.literal('delete'), id: z.uuid() }),
  ]),
  output: mergeShapes(
    describeShape('For `list`.', { playlists: z.array(adminPlaylist) }),
    describeShape('For `get`, `create` and `update`.', { playlist: adminPlaylistDetail }),
    describeShape('For `delete`.', {}),
  ),
  rateLimit: pictureLimit,
  errors: [
    'playlist_not_found',
    'changed_meanwhile',
    'release_in_past',
    'release_published',
    'track_not_found',
    'track_already_in_playlist',
    ...pictureErrors,
  ],
})

export const restoreAdminPlaylist = endpoint({
  method: 'POST',
  path: '/api/admin-playlists/:id/restore',
  summary: 'Undo the deletion of a curated playlist within a minute.',
  access: 'editor',
  audit: { playlist: ['restore'] },
  params: z.object({ id: z.uuid() }),
  output: adminPlaylistDetail,
  errors: ['undo_expired'],
})
