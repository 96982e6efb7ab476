// Tracks as admins run them: every state, every field, and the life of an upload.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { pageQuery, pagination } from './pagination.ts'
import { aiDisclosures } from './ai-disclosure.ts'
import { searchMaxLength, track, trackParams } from './tracks.ts'

export const processingStatuses = ['pending', 'processing', 'ready', 'failed'] as const

export const adminTrack = z.extend(z.omit(track, { is_liked: true, has_lyrics: true }), {
  is_published: z.boolean(),
  /** Publish as soon as processing is done. */
  publish_when_ready: z.boolean(),
  lyrics: z.nullable(z.string()),
  credits: z.nullable(z.string()),
  processing_status: z.enum(processingStatuses),
  /** 0 to 1. */
  processing_progress: z.number(),
  /** Why processing failed, in words for the admin. */
  processing_error: z.nullable(z.string()),
  updated_at: z.string(),
})
export type AdminTrack = z.infer<typeof adminTrack>

const optionalText = (maxLength: number) =>
  z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(maxLength))))

/** What a person may fill in. Titles and artists are required on create. */
export const trackFields = {
  title: z.string().check(z.trim(), z.minLength(1, 'Title is required'), z.maxLength(200)),
  artist: z.string().check(z.trim(), z.minLength(1, 'Artist is required'), z.maxLength(200)),
  /** Slug of a category. */
  category: z.optional(z.nullable(z.string().check(z.maxLength(80)))),
  genre: z.optional(z.nullable(z.string().check(z.maxLength(80)))),
  description: optionalText(5000),
  lyrics: optionalText(50_000),
  tags: z.optional(
    z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(50))).check(z.maxLength(30)),
  ),
  explicit: z.optional(z.boolean()),
  /** Whole seconds; replaced by the measured length once the file is processed. */
  duration: z.optional(
    z.number().check(z.int(), z.nonnegative('Duration must be non-negative'), z.maximum(86_400)),
  ),
  ai_disclosure: z.optional(z.enum(aiDisclosures)),
  ai_tool: optionalText(200),
  credits: optionalText(2000),
  /** `path` of a finished cover upload; null takes the cover away. */
  cover_path: z.optional(z.nullable(z.string().check(z.maxLength(300)))),
}

export const createTrackBody = z.object({
  action: z.literal('create'),
  ...trackFields,
  is_published: z.optional(z.boolean()),
  /** `path` of a finished audio upload. */
  audio_path: z
    .string('Please upload an audio file')
    .check(z.minLength(1, 'Please upload an audio file'), z.maxLength(300)),
})

export const updateTrackBody = z.object({
  ...trackFields,
  title: z.optional(trackFields.title),
  artist: z.optional(trackFields.artist),
  is_published: z.optional(z.boolean()),
  /** A new recording in place of the current one. */
  audio_path: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
})

const sortFields = ['created_at', 'title', 'artist', 'duration', 'category'] as const

export const listAdminTracks = endpoint({
  method: 'GET',
  path: '/api/admin-tracks',
  summary: 'Every track, published or not.',
  access: 'admin',
  mayLag: true,
  query: z.object({
    q: z.optional(z.string().check(z.maxLength(searchMaxLength))),
    category: z.optional(z.string().check(z.maxLength(80))),
    /** Tracks of all other categories, and of none. */
    not_category: z.optional(z.string().check(z.maxLength(80))),
    genre: z.optional(z.string().check(z.maxLength(80))),
    published: z.optional(z.enum(['true', 'false'])),
    processing_status: z.optional(z.enum(processingStatuses)),
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
  summary: 'One track with everything that can be edited, and how far its processing is.',
  access: 'admin',
  params: trackParams,
  output: adminTrack,
  errors: ['track_not_found'],
})

/** What may be wrong with the fields and files of a track. */
const saveErrors = [
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
    'action create: a track from an uploaded file. action delete: a track and all its files.',
  access: 'admin',
  body: z.discriminatedUnion('action', [
    createTrackBody,
    z.object({ action: z.literal('delete'), id: z.uuid() }),
  ]),
  /** The created track; null after a delete. */
  output: z.object({ data: z.nullable(adminTrack) }),
  errors: ['track_not_found', ...saveErrors],
})

export const updateAdminTrack = endpoint({
  method: 'PATCH',
  path: '/api/admin-tracks/:id',
  summary: 'Change what is given, leave the rest.',
  access: 'admin',
  params: trackParams,
  body: updateTrackBody,
  output: adminTrack,
  errors: ['track_not_found', ...saveErrors],
})

/** Tracks that one call may change. */
export const bulkMaxTracks = 500

export const updateAdminTracks = endpoint({
  method: 'PATCH',
  path: '/api/admin-tracks',
  summary: 'Change what is given of up to 500 tracks, all of them or, when one cannot be, none.',
  access: 'admin',
  body: z.object({
    changes: z
      .array(
        z.object({
          id: z.uuid(),
          title: z.optional(trackFields.title),
          artist: z.optional(trackFields.artist),
          category: trackFields.category,
          genre: trackFields.genre,
          tags: trackFields.tags,
          explicit: trackFields.explicit,
          ai_disclosure: trackFields.ai_disclosure,
          is_published: z.optional(z.boolean()),
        }),
      )
      .check(
        z.minLength(1),
        z.maxLength(bulkMaxTracks),
        z.refine(
          (changes) => new Set(changes.map(({ id }) => id)).size === changes.length,
          'Each track only once',
        ),
      ),
  }),
  /** The ids, in the order in which they were given. */
  output: z.object({ data: z.array(z.uuid()) }),
  /** Details of the first three: the `id` of the track. */
  errors: ['track_not_found', 'track_not_ready', 'category_not_found', 'genre_not_found'],
})

export const publishTrack = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/:id/publish',
  summary: 'Make a track visible to members, at once or when its processing is done.',
  access: 'admin',
  params: trackParams,
  output: adminTrack,
  errors: ['track_not_found', 'track_not_ready'],
})

export const unpublishTrack = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/:id/unpublish',
  summary: 'Hide a track from members.',
  access: 'admin',
  params: trackParams,
  output: adminTrack,
  errors: ['track_not_found'],
})
