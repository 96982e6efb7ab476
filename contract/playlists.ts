// Playlists: a member's own, and those shared with them or with everyone.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { premiumMarks } from './fields/availability.ts'
import { cleanName } from './fields/clean-name.ts'
import { coverFields } from './fields/cover-fields.ts'
import { endpoint } from './endpoint.ts'
import { smartRules } from './fields/smart-rules.ts'
import { pictureErrors } from './fields/pictures.ts'
import { trackChanges } from './fields/track-changes.ts'
import { sortDirections, track, trackOrders } from './tracks.ts'
import { day, pictureLimit } from './rate-limit.ts'

export const playlistTitleMaxLength = 200
export const playlistDescriptionMaxLength = 2000

export const playlist = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.nullable(z.string()),
  ...coverFields,
  is_public: z.boolean(),
  is_curated: z.boolean(),
  created_by: z.nullable(z.uuid()),
  created_at: timestamp,
  track_count: z.number(),
  duration: z.number().check(z.describe('Total duration of its tracks, in whole seconds.')),
  mosaic: z
    .array(z.string())
    .check(
      z.describe('Covers of the first four tracks, for a mosaic if the playlist has no cover.'),
    ),
  is_own: z.boolean(),
  share_url: z
    .string()
    .check(
      z.describe(
        'The URL to share: the public page, or the page for members if there is no public one.',
      ),
    ),
  role: z
    .nullable(z.enum(['owner', 'editor', 'viewer']))
    .check(
      z.describe(
        "The member's role in the playlist. Null for curated playlists and other members' public playlists.",
      ),
    ),
  shared_with: z
    .number()
    .check(
      z.describe(
        'The number of people with whom the owner shares it. 0 for callers without a role in the playlist.',
      ),
    ),
  owner_name: z
    .nullable(z.string())
    .check(z.describe("The owner's display name, for people who share the playlist.")),
  is_smart: z
    .boolean()
    .check(
      z.describe(
        'Whether it is filled by rules. Tracks of such a playlist cannot be added, moved or removed.',
      ),
    ),
  rules: z
    .nullable(smartRules)
    .check(z.describe('The rules of a smart playlist, visible only to its owner.')),
  ...premiumMarks,
})
export type Playlist = z.infer<typeof playlist>

export const playlistTrack = z.object({
  id: z.uuid(),
  order_index: z.number(),
  added_by: z
    .nullable(z.string())
    .check(
      z.describe(
        'Display name of the person who added the track. Empty if they have none. Null if the playlist is not shared or the account was deleted.',
      ),
    ),
  track,
})
export type PlaylistTrack = z.infer<typeof playlistTrack>

export const playlistParams = z.object({ id: z.uuid() })

const title = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(1, 'Title is required'),
    z.maxLength(playlistTitleMaxLength),
  )
const description = z.nullable(
  z.string().check(z.trim(), z.maxLength(playlistDescriptionMaxLength)),
)
/** The `path` returned for a completed cover upload. Null removes the cover. */
const cover_path = z.nullable(z.string().check(z.maxLength(300)))

export const listPlaylists = endpoint({
  method: 'GET',
  path: '/api/playlists',
  summary:
    "The member's own playlists, playlists that others share with them, curated playlists, or other members' public playlists. Newest first, or by relevance in a search.",
  access: 'member',
  query: z.object({
    scope: z._default(z.enum(['own', 'shared', 'curated', 'public']), 'own'),
    q: z.optional(z.string().check(z.maxLength(200))),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
    cursor: z.optional(z.string().check(z.maxLength(500))),
  }),
  output: z.object({ data: z.array(playlist), next_cursor: z.nullable(z.string()) }),
})

export const getPlaylist = endpoint({
  method: 'GET',
  path: '/api/playlists/:id',
  summary: 'A playlist that the member can read.',
  access: 'member',
  params: playlistParams,
  output: playlist,
  errors: ['playlist_not_found'],
})

export const createPlaylist = endpoint({
  method: 'POST',
  path: '/api/playlists',
  summary:
    "Create a private playlist. With rules it is a smart playlist: it contains the tracks that match at the time of reading, based on the reader's likes and plays.",
  access: 'member',
  creates: true,
  body: z.object({
    title,
    description: z.optional(description),
    cover_path: z.optional(cover_path),
    is_public: z._default(z.boolean(), false),
    rules: z.optional(smartRules),
  }),
  output: playlist,
  rateLimit: [
    { name: 'playlist', per: 'account', count: 1000, seconds: day, exceptAdmins: true },
    pictureLimit,
  ],
  errors: ['playlist_limit_reached', 'track_limit_reached', ...pictureErrors],
})

export const updatePlaylist = endpoint({
  method: 'PATCH',
  path: '/api/playlists/:id',
  summary:
    'Change title, description, visibility or cover. With `track_changes`, add, move and remove tracks. With `track_ids`, set all tracks in order. Editors of a shared playlist can change only the tracks.',
  access: 'member',
  params: playlistParams,
  body: z.object({
    title: z.optional(title),
    description: z.optional(description),
    is_public: z.optional(z.boolean()),
    cover_path: z.optional(cover_path),
    track_ids: z.optional(z.array(z.uuid()).check(z.maxLength(50_000))),
    track_changes: z.optional(trackChanges),
    operation_id: z
      .optional(z.uuid())
      .check(
        z.describe(
          'Generated by the client for this change. A repeated request with the same id within a day changes nothing.',
        ),
      ),
    rules: z.optional(smartRules).check(z.describe('New rules for a smart playlist.')),
  }),
  output: playlist,
  rateLimit: pictureLimit,
  errors: [
    'playlist_not_found',
    'playlist_owner_only',
    'playlist_read_only',
    'playlist_is_smart',
    'playlist_not_smart',
    'track_limit_reached',
    'owner_track_limit_reached',
    'track_not_found',
    'track_already_in_playlist',
    ...pictureErrors,
  ],
})

export const deletePlaylist = endpoint({
  method: 'DELETE',
  path: '/api/playlists/:id',
  summary: 'Delete one of the member’s own playlists.',
  access: 'member',
  params: playlistParams,
  errors: ['playlist_not_found', 'playlist_owner_only'],
})

export const restorePlaylist = endpoint({
  method: 'POST',
  path: '/api/playlists/:id/restore',
  summary: 'Undo the deletion of one of the member’s own playlists within a minute.',
  access: 'member',
  params: playlistParams,
  output: playlist,
  errors: ['undo_expired', 'playlist_limit_reached'],
})

export const listPlaylistTracks = endpoint({
  method: 'GET',
  path: '/api/playlists/:id/tracks',
  summary:
    'The tracks of a readable playlist, in its order or sorted, starting at an offset. If the playlist is curated and in early access or only for Premium, this requires Premium.',
  access: 'member',
  params: playlistParams,
  query: z.object({
    offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 200),
    order: z
      .optional(z.enum(trackOrders))
      .check(z.describe('Defaults to the order of the playlist.')),
    direction: z
      .optional(z.enum(sortDirections))
      .check(z.describe('Defaults to descending for `newest`, otherwise to ascending.')),
  }),
  output: z.object({ data: z.array(playlistTrack), total: z.number() }),
  /** The `details` of `premium_required` contain the reason, as for a stream. */
  errors: ['playlist_not_found', 'premium_required'],
})

export const addTrackToPlaylist = endpoint({
  method: 'POST',
  path: '/api/playlists/:id/tracks',
  summary: 'Append a track.',
  access: 'member',
  creates: true,
  params: playlistParams,
  body: z.object({ track_id: z.uuid() }),
  output: z.object({ id: z.uuid(), order_index: z.number() }),
  errors: [
    'playlist_not_found',
    'playlist_read_only',
    'playlist_is_smart',
    'track_not_found',
    'track_already_in_playlist',
    'track_limit_reached',
    'owner_track_limit_reached',
  ],
})

export const removeTrackFromPlaylist = endpoint({
  method: 'DELETE',
  path: '/api/playlists/:id/tracks/:track_id',
  summary: 'Remove a track.',
  access: 'member',
  params: z.object({ id: z.uuid(), track_id: z.uuid() }),
  errors: ['playlist_not_found', 'playlist_read_only', 'playlist_is_smart', 'track_not_found'],
})
