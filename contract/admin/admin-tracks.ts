// Tracks for admins: every state, every field, and the lifecycle of an upload.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { availabilities } from '../fields/availability.ts'
import { availabilityFields, availabilityInput } from '../availability-input.ts'
import { cleanName } from '../fields/clean-name.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { fileProblems } from '../fields/stored-files.ts'
import { releaseOfTrack } from '../fields/release-fields.ts'
import { creditInputs } from '../fields/artist-credits.ts'
import { aiDisclosures } from '../fields/ai-disclosure.ts'
import {
  maxCategories,
  maxMoodLength,
  maxMoods,
  searchMaxLength,
  track,
  trackParams,
} from '../tracks.ts'
import { readVersion, version } from '../fields/versions.ts'
import { pictureLimit } from '../rate-limit.ts'

export const processingStatuses = ['pending', 'processing', 'ready', 'failed'] as const

export const adminTrack = z.extend(z.omit(track, { is_liked: true, has_lyrics: true }), {
  is_published: z.boolean(),
  publish_when_ready: z
    .boolean()
    .check(z.describe('Whether the track is published as soon as it is processed.')),
  ...availabilityFields,
  lyrics: z.nullable(z.string()),
  credits: z.nullable(z.string()),
  processing_status: z.enum(processingStatuses),
  processing_progress: z.number().check(z.describe('The progress from 0 to 1.')),
  processing_error: z
    .nullable(z.string())
    .check(z.describe('The reason why processing failed, written for admins.')),
  file_problem: z
    .nullable(z.enum(fileProblems))
    .check(
      z.describe(
        "A problem that the last check found in one of the track's files: recording, renditions or cover. Null if there is none.",
      ),
    ),
  releases: z
    .array(z.extend(releaseOfTrack, { is_published: z.boolean() }))
    .check(z.describe('All releases that contain the track, published or not.')),
  updated_at: timestamp,
  version,
})
export type AdminTrack = z.infer<typeof adminTrack>

const optionalText = (maxLength: number) =>
  z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(maxLength))))

/** Editable fields. Title and artist are required on create. */
export const trackFields = {
  title: z
    .string()
    .check(z.overwrite(cleanName), z.minLength(1, 'Title is required'), z.maxLength(200)),
  artist: z
    .string()
    .check(z.overwrite(cleanName), z.minLength(1, 'Artist is required'), z.maxLength(200)),
  artists: z
    .optional(creditInputs)
    .check(
      z.describe(
        'All credits in order. The artist line is built from them, and `artist` is ignored. Without credits, `artist` becomes the only main artist.',
      ),
    ),
  category: z
    .optional(z.nullable(z.string().check(z.maxLength(80))))
    .check(
      z.describe(
        'The slug of the first category. The other categories are kept. Null removes all categories.',
      ),
    ),
  categories: z
    .optional(
      z.array(z.string().check(z.minLength(1), z.maxLength(80))).check(z.maxLength(maxCategories)),
    )
    .check(
      z.describe(
        "Slugs of all categories in order. If given, `category` is ignored and the first slug becomes the track's `category`.",
      ),
    ),
  moods: z
    .optional(
      z
        .array(z.string().check(z.overwrite(cleanName), z.minLength(1), z.maxLength(maxMoodLength)))
        .check(z.maxLength(maxMoods)),
    )
    .check(z.describe('Duplicates that differ only in case are removed.')),
  genre: z.optional(z.nullable(z.string().check(z.maxLength(80)))),
  description: optionalText(5000),
  lyrics: optionalText(50_000),
  tags: z.optional(
    z
      .array(z.string().check(z.overwrite(cleanName), z.minLength(1), z.maxLength(50)))
      .check(z.maxLength(30)),
  ),
  explicit: z.optional(z.boolean()),
  duration: z
    .optional(
      z.number().check(z.int(), z.nonnegative('Duration must be non-negative'), z.maximum(86_400)),
    )
    .check(
      z.describe('Whole seconds. Replaced by the measured duration once the file is processed.'),
    ),
  ai_disclosure: z.optional(z.enum(aiDisclosures)),
  ai_tool: optionalText(200),
  credits: optionalText(2000),
  cover_path: z
    .optional(z.nullable(z.string().check(z.maxLength(300))))
    .check(z.describe('The `path` of a completed cover upload. Null removes the cover.')),
  ...availabilityInput,
}

export const createTrackBody = z.object({
  action: z.literal('create'),
  ...trackFields,
  is_published: z.optional(z.boolean()),
  /** The `path` of a completed audio upload. */
  audio_path: z
    .string('Please upload an audio file')
    .check(z.minLength(1, 'Please upload an audio file'), z.maxLength(300)),
})

export const updateTrackBody = z.object({
  ...trackFields,
  title: z.optional(trackFields.title),
  artist: z.optional(trackFields.artist),
  is_published: z.optional(z.boolean()),
  audio_path: z
    .optional(z.string().check(z.minLength(1), z.maxLength(300)))
    .check(z.describe('A new recording that replaces the current one.')),
  version: readVersion,
})

const sortFields = ['created_at', 'title', 'artist', 'duration', 'category'] as const

export const listAdminTracks = endpoint({
  method: 'GET',
  path: '/api/admin-tracks',
  summary: 'Every track, published or not.',
  access: 'creator',
  owned: 'filtered',
  mayLag: true,
  query: z.object({
    q: z.optional(z.string().check(z.maxLength(searchMaxLength))),
    category: z
      .optional(z.string().check(z.maxLength(80)))
      .check(z.describe('Only tracks in this category.')),
    not_category: z
      .optional(z.string().check(z.maxLength(80)))
      .check(z.describe('Only tracks that are not in this category.')),
    genre: z.optional(z.string().check(z.maxLength(80))),
    artist: z
      .optional(z.uuid())
      .check(z.describe('The id of an artist. Only tracks that credit them in any role.')),
    published: z.optional(z.enum(['true', 'false'])),
    availability: z.optional(z.enum(availabilities)),
    processing_status: z.optional(z.enum(processingStatuses)),
    damaged: z
      .optional(z.enum(['true', 'false']))
      .check(z.describe('`true` for only tracks with a missing or damaged file.')),
    sort: z._default(z.enum(sortFields), 'created_at'),
    direction: z._default(z.enum(['asc', 'desc']), 'desc'),
    ...pageQuery(50),
  }),
  output: z.object({
    data: z.array(adminTrack),
    pagination,
  }),
})

export const getAdminTrack = endpoint({
  method: 'GET',
  path: '/api/admin-tracks/:id',
  summary: 'A track with all editable fields and its processing progress.',
  access: 'creator',
  owned: { own: { track: ['params.id'] } },
  versionAt: 'version',
  params: trackParams,
  output: adminTrack,
  errors: ['track_not_found'],
})

/** Error codes of operations that save a track's fields and files. */
const saveErrors = [
  'artist_not_found',
  'artist_line_too_long',
  'release_in_past',
  'release_published',
  'category_not_found',
  'genre_not_found',
  'upload_incomplete',
  'upload_used',
  'upload_not_found',
  'unsupported_image',
  'unsupported_media',
  'media_too_long',
  'media_damaged',
  'image_too_large',
] as const

export const changeAdminTracks = endpoint({
  method: 'POST',
  path: '/api/admin-tracks',
  summary:
    'With the action `create`, create a track from an uploaded file. With `delete`, delete a track and all its files, which can be undone for a minute.',
  access: 'creator',
  owned: { drafts: { track: ['body.id'] } },
  creates: { action: ['create'] },
  needsConfirmation: { action: ['delete'] },
  audit: { track: ['create', 'delete'] },
  body: z.discriminatedUnion('action', [
    createTrackBody,
    z.object({ action: z.literal('delete'), id: z.uuid() }),
  ]),
  /** The created track. Null after a deletion. */
  output: z.object({ data: z.nullable(adminTrack) }),
  rateLimit: pictureLimit,
  errors: ['track_not_found', ...saveErrors],
})

export const updateAdminTrack = endpoint({
  method: 'PATCH',
  path: '/api/admin-tracks/:id',
  summary:
    'Change the given fields. If a version is sent, the change is refused when the track has been changed since that version.',
  access: 'creator',
  owned: { drafts: { track: ['params.id'] } },
  versionAt: 'version',
  audit: { track: ['update'] },
  params: trackParams,
  body: updateTrackBody,
  output: adminTrack,
  rateLimit: pictureLimit,
  errors: ['track_not_found', 'changed_meanwhile', ...saveErrors],
})

/** Maximum number of tracks per request. */
export const bulkMaxTracks = 500

export const updateAdminTracks = endpoint({
  method: 'PATCH',
  path: '/api/admin-tracks',
  summary: 'Change the given fields of up to 500 tracks. If one cannot be changed, none is.',
  access: 'creator',
  owned: { drafts: { track: ['body.changes.id'] } },
  audit: { track: ['update'] },
  body: z.object({
    changes: z
      .array(
        z.object({
          id: z.uuid(),
          title: z.optional(trackFields.title),
          artist: z.optional(trackFields.artist),
          category: trackFields.category,
          categories: trackFields.categories,
          moods: trackFields.moods,
          genre: trackFields.genre,
          tags: trackFields.tags,
          explicit: trackFields.explicit,
          ai_disclosure: trackFields.ai_disclosure,
          is_published: z.optional(z.boolean()),
          ...availabilityInput,
          version: readVersion,
        }),
      )
      .check(
        z.minLength(1),
        z.maxLength(bulkMaxTracks),
        z.refine(
          (changes) => new Set(changes.map(({ id }) => id)).size === changes.length,
          'Each track may occur only once',
        ),
      ),
  }),
  /** The ids of the tracks, in the given order. */
  output: z.object({ data: z.array(z.uuid()) }),
  /** The `details` contain the first five errors, each with the track's `id`. */
  errors: [
    'track_not_found',
    'track_not_ready',
    'changed_meanwhile',
    'release_in_past',
    'release_published',
    'category_not_found',
    'genre_not_found',
  ],
})

export const publishTrack = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/:id/publish',
  summary: 'Publish a track as soon as it is processed, and clear its date.',
  access: 'editor',
  audit: { track: ['publish'] },
  params: trackParams,
  output: adminTrack,
  errors: ['track_not_found', 'track_not_ready'],
})

export const unpublishTrack = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/:id/unpublish',
  summary: 'Hide a track from members, and clear its date.',
  access: 'editor',
  audit: { track: ['unpublish'] },
  params: trackParams,
  output: adminTrack,
  errors: ['track_not_found'],
})

export const processTrackAgain = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/:id/process',
  summary:
    'Regenerate all files of a track from its recording. Meanwhile the old files remain playable.',
  access: 'creator',
  owned: { drafts: { track: ['params.id'] } },
  audit: { track: ['retry'] },
  params: trackParams,
  output: adminTrack,
  errors: ['track_not_found', 'source_missing'],
})

export const restoreTracks = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/restore',
  summary:
    'Undo the deletion of up to 500 tracks within a minute. If one cannot be restored, none is.',
  access: 'creator',
  owned: { drafts: { track: ['body.ids'] } },
  audit: { track: ['restore'] },
  body: z.object({ ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(bulkMaxTracks)) }),
  /** The ids of the tracks, in the given order. */
  output: z.object({ data: z.array(z.uuid()) }),
  errors: ['undo_expired'],
})
