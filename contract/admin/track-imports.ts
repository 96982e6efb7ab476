// Bulk import: finding recordings that already exist, creating a track per file, and listing one batch.
import * as z from 'zod/mini'
import { adminTrack } from './admin-tracks.ts'
import { cleanName } from '../fields/clean-name.ts'
import { endpoint } from '../endpoint.ts'
import { sideFile } from '../fields/side-files.ts'
import { trackParams } from '../tracks.ts'
import { pictureLimit } from '../rate-limit.ts'

/** Maximum number of files dropped together, and so of tracks in a batch. */
export const batchMaxFiles = 2000
/** Maximum number of hashes in one request. */
export const hashesPerQuestion = 500

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))

export const findTracksByHash = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/by-hash',
  summary:
    'Find which of these recordings are in the library, by the SHA-256 of the uploaded file.',
  access: 'creator',
  owned: 'filtered',
  audit: 'reads',
  body: z.object({
    sha256: z.array(sha256).check(z.minLength(1), z.maxLength(hashesPerQuestion)),
  }),
  /** The oldest track of each recording; unknown recordings are left out. */
  output: z.object({
    data: z.array(z.object({ sha256, id: z.uuid(), title: z.string(), artist: z.string() })),
  }),
})

export const importTrack = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/import',
  summary:
    'Create an unpublished track from a finished upload, named by its tags or else by its file name. Repeating it with the same upload returns the same track.',
  access: 'creator',
  owned: 'filtered',
  creates: true,
  audit: { track: ['create'] },
  body: z.object({
    audio_path: z
      .string()
      .check(z.minLength(1), z.maxLength(300))
      .check(z.describe('`path` of a finished audio upload.')),
    batch: z.uuid().check(z.describe('The batch of files that were dropped together.')),
    allow_duplicate: z
      ._default(z.boolean(), false)
      .check(z.describe('Allow a second track of a recording that already exists.')),
    folder: z
      .optional(z.nullable(z.string().check(z.overwrite(cleanName), z.maxLength(200))))
      .check(
        z.describe(
          'Name of the folder that the file was dropped in. Releases are proposed from it.',
        ),
      ),
    side_text: z
      .optional(z.nullable(z.string().check(z.maxLength(100_000))))
      .check(
        z.describe(
          'The text file that an export tool wrote beside the recording: `Model: v4.5` and so on.',
        ),
      ),
    side_files: z
      .optional(z.array(sideFile).check(z.maxLength(4)))
      .check(z.describe('All such files, one of each kind. Lyrics with times are preferred.')),
    cover_path: z
      .optional(z.nullable(z.string().check(z.maxLength(300))))
      .check(z.describe('`path` of a finished cover upload; replaces the picture in the file.')),
  }),
  output: z.object({ data: adminTrack }),
  rateLimit: pictureLimit,
  /**
   * Details of `track_exists`: `id` and `title` of the track, and `by`: `recording` for the same file, `source` for the same
   * song of a generator in another file, `sound` for another file that sounds the same.
   */
  errors: [
    'track_exists',
    'upload_incomplete',
    'upload_used',
    'upload_not_found',
    'unsupported_media',
    'media_too_long',
    'media_damaged',
    'unsupported_image',
    'image_too_large',
  ],
})

export const importedTrack = z.extend(
  z.pick(adminTrack, {
    id: true,
    title: true,
    artist: true,
    category: true,
    categories: true,
    moods: true,
    genre: true,
    tags: true,
    explicit: true,
    ai_disclosure: true,
    duration: true,
    loudness_lufs: true,
    true_peak_dbtp: true,
    cover_url: true,
    cover_tint: true,
    cover_placeholder: true,
    is_published: true,
    publish_when_ready: true,
    processing_status: true,
    processing_progress: true,
    processing_error: true,
    release_at: true,
    release_zone: true,
    early_access_days: true,
    audience: true,
  }),
  {
    folder: z
      .nullable(z.string())
      .check(z.describe('The folder of the file, or else the album in its tags.')),
    found_genre: z
      .nullable(z.string())
      .check(z.describe("The genre in the file's tags if no genre here has that name.")),
  },
)
export type ImportedTrack = z.infer<typeof importedTrack>

export const listImportedTracks = endpoint({
  method: 'GET',
  path: '/api/admin-track-batches/:id',
  summary: 'The tracks of one batch, in the order of their files.',
  access: 'creator',
  owned: 'filtered',
  params: trackParams,
  output: z.object({ data: z.array(importedTrack) }),
})
