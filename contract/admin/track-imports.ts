// Bulk import: finding recordings that already exist, creating one track per file, and listing the tracks of a batch.
import * as z from 'zod/mini'
import { adminTrack } from './admin-tracks.ts'
import { cleanName } from '../fields/clean-name.ts'
import { endpoint } from '../endpoint.ts'
import { sideFile } from '../fields/side-files.ts'
import { trackParams } from '../tracks.ts'
import { pictureLimit } from '../rate-limit.ts'

/** Maximum number of files dropped together, which is also the maximum number of tracks in a batch. */
export const batchMaxFiles = 2000
/** Maximum number of hashes in one request. */
export const maxHashesPerRequest = 500

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))

export const findTracksByHash = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/by-hash',
  summary:
    'Find out which of these recordings are already in the library, by the SHA-256 of the uploaded file.',
  access: 'creator',
  owned: 'filtered',
  audit: 'reads',
  body: z.object({
    sha256: z.array(sha256).check(z.minLength(1), z.maxLength(maxHashesPerRequest)),
  }),
  /** For each known recording, its oldest track. Unknown recordings are omitted. */
  output: z.object({
    data: z.array(z.object({ sha256, id: z.uuid(), title: z.string(), artist: z.string() })),
  }),
})

export const importTrack = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/import',
  summary:
    "Create an unpublished track from a completed upload. Its title comes from the file's tags, or from the file name. A repeated request with the same upload returns the same track.",
  access: 'creator',
  owned: 'filtered',
  creates: true,
  audit: { track: ['create'] },
  body: z.object({
    audio_path: z
      .string()
      .check(z.minLength(1), z.maxLength(300))
      .check(z.describe('The `path` of a completed audio upload.')),
    batch: z.uuid().check(z.describe('The batch: all files that were dropped together.')),
    allow_duplicate: z
      ._default(z.boolean(), false)
      .check(z.describe('Allow another track of a recording that already exists.')),
    folder: z
      .optional(z.nullable(z.string().check(z.overwrite(cleanName), z.maxLength(200))))
      .check(
        z.describe('Name of the folder that contained the file. Releases are proposed from it.'),
      ),
    side_text: z
      .optional(z.nullable(z.string().check(z.maxLength(100_000))))
      .check(
        z.describe(
          'The text file that an export tool saved next to the recording, with lines such as `Model: v4.5`.',
        ),
      ),
    side_files: z
      .optional(z.array(sideFile).check(z.maxLength(4)))
      .check(z.describe('All such files, one per kind. Lyrics with timestamps take precedence.')),
    cover_path: z
      .optional(z.nullable(z.string().check(z.maxLength(300))))
      .check(
        z.describe('The `path` of a completed cover upload. It replaces the picture in the file.'),
      ),
  }),
  output: z.object({ data: adminTrack }),
  rateLimit: pictureLimit,
  /**
   * Details of `track_exists`: the track's `id` and `title`, and `by`, the way it was recognized. `recording`: the same
   * file. `source`: another file of the same song from an AI tool. `sound`: another file that sounds the same.
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
      .check(z.describe('The folder of the file, or the album in its tags if there is no folder.')),
    found_genre: z
      .nullable(z.string())
      .check(z.describe("The genre in the file's tags, if it is not one of the service's genres.")),
  },
)
export type ImportedTrack = z.infer<typeof importedTrack>

export const listImportedTracks = endpoint({
  method: 'GET',
  path: '/api/admin-track-batches/:id',
  summary: 'The tracks of a batch, in the order of their files.',
  access: 'creator',
  owned: 'filtered',
  params: trackParams,
  output: z.object({ data: z.array(importedTrack) }),
})
