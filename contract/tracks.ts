// Tracks for members: only published ones, with access-controlled audio URLs.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { trackArtist } from './fields/artist-credits.ts'
import { aiDisclosures } from './fields/ai-disclosure.ts'
import { premiumMarks } from './fields/availability.ts'
import { coverFields } from './fields/cover-fields.ts'
import { endpoint } from './endpoint.ts'
import { releaseOfTrack } from './fields/release-fields.ts'

export const browsePageSize = 50
export const editSearchLimit = 20
export const searchMaxLength = 200
export const maxCategories = 10
export const maxMoods = 10
export const maxMoodLength = 40

export const track = z.object({
  id: z.uuid(),
  slug: z
    .string()
    .check(z.describe('The last segment of its URL `/t/{slug}`. Former slugs redirect to it.')),
  share_url: z
    .string()
    .check(
      z.describe(
        'The URL to share: the public page, or the page for members if there is no public one.',
      ),
    ),
  title: z.string(),
  artist: z
    .string()
    .check(z.describe('The artist line, built from the main and featured artists.')),
  artists: z
    .array(trackArtist)
    .check(
      z.describe(
        'Main and featured artists in the order of the artist line. A single track includes all credits.',
      ),
    ),
  category: z
    .nullable(z.string())
    .check(z.describe('The slug of the first category. Null if there is none.')),
  categories: z
    .array(z.string())
    .check(z.describe('Slugs of all categories in order, including the first one.')),
  moods: z.array(z.string()).check(z.describe('Short labels in order: `calm`, `late night`.')),
  genre: z.nullable(z.string()),
  description: z.nullable(z.string()),
  tags: z.array(z.string()),
  explicit: z.boolean(),
  duration: z.number().check(z.describe('Whole seconds, for display.')),
  ...coverFields,
  audio_url: z
    .string()
    .check(
      z.describe('The URL of the access-controlled stream of the full track. Never a storage URL.'),
    ),
  preview_url: z
    .nullable(z.string())
    .check(z.describe('The URL of the preview. Null if the track has none.')),
  preview_seconds: z
    .nullable(z.number())
    .check(
      z.describe(
        'Length of the preview in seconds: the configured length when it was cut, or less if the track is shorter.',
      ),
    ),
  loudness_lufs: z
    .nullable(z.number())
    .check(
      z.describe('EBU R128 integrated loudness in LUFS, for loudness normalization in the player.'),
    ),
  true_peak_dbtp: z.nullable(z.number()),
  ai_disclosure: z.enum(aiDisclosures),
  ai_tool: z.nullable(z.string()),
  ...premiumMarks,
  has_lyrics: z.boolean(),
  release: z.nullable(releaseOfTrack).check(z.describe('The first of its published releases.')),
  created_at: timestamp,
  is_liked: z.boolean(),
})
export type Track = z.infer<typeof track>

/** The waveform and the lyrics of a track. The player requests them when it loads the track. */
export const trackDetail = z.extend(track, {
  peaks: z
    .nullable(z.string())
    .check(
      z.describe(
        'The waveform as about 800 unsigned bytes in base64. 255 is the highest displayable level.',
      ),
    ),
  lyrics: z.nullable(z.string()).check(z.describe('LRC with timestamps, or plain text.')),
  credits: z.nullable(z.string()),
  versions: z
    .array(
      z.extend(z.pick(track, { id: true, title: true, artist: true, duration: true }), coverFields),
    )
    .check(z.describe('Other published versions of the song, oldest first.')),
  is_published: z
    .boolean()
    .check(
      z.describe(
        'Whether the track is published. False only for admins, who can also open drafts.',
      ),
    ),
})
export type TrackDetail = z.infer<typeof trackDetail>

export const trackParams = z.object({ id: z.uuid() })

export const trackOrders = ['newest', 'title', 'artist', 'duration'] as const
export type TrackOrder = (typeof trackOrders)[number]
export const sortDirections = ['asc', 'desc'] as const
export type SortDirection = (typeof sortDirections)[number]

export const listTracks = endpoint({
  method: 'GET',
  path: '/api/tracks',
  summary:
    'Published tracks, 50 per page by default: newest first, sorted by title, artist or duration, or by relevance in a search. Search, category, mood and likes are combined.',
  access: 'member',
  mayLag: true,
  query: z.object({
    q: z
      .optional(z.string().check(z.maxLength(searchMaxLength)))
      .check(
        z.describe(
          'A substring of title, artist, categories, genre or moods. Ignores case and accents.',
        ),
      ),
    category: z
      .optional(z.string().check(z.maxLength(80)))
      .check(z.describe('The slug of a category.')),
    mood: z
      .optional(z.string().check(z.maxLength(maxMoodLength)))
      .check(z.describe('Only tracks with this mood, spelled the same.')),
    liked: z.optional(z.literal('true')),
    artist: z
      .optional(z.uuid())
      .check(
        z.describe(
          'The id of an artist. Only tracks with this artist as main artist, featured artist or remixer.',
        ),
      ),
    order: z
      .optional(z.enum(trackOrders))
      .check(z.describe('Defaults to newest first, or to relevance if `q` is given.')),
    direction: z
      .optional(z.enum(sortDirections))
      .check(
        z.describe(
          'Defaults to descending for `newest`, otherwise to ascending. Ignored in a search without `order`.',
        ),
      ),
    limit: z._default(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)),
      browsePageSize,
    ),
    cursor: z
      .optional(z.string().check(z.maxLength(4000)))
      .check(z.describe('The `next_cursor` of the previous page.')),
  }),
  output: z.object({
    data: z.array(track),
    next_cursor: z.nullable(z.string()),
    total: z
      .nullable(z.number())
      .check(z.describe('Total number of matches. Null except on the first page.')),
  }),
})

export const getTrack = endpoint({
  method: 'GET',
  path: '/api/tracks/:id',
  summary: 'A published track with its waveform and lyrics. Admins can also open drafts.',
  access: 'member',
  params: trackParams,
  output: trackDetail,
  errors: ['track_not_found'],
})

const rangeHeader = { 'Range?': 'The requested bytes: `bytes=0-65535`.' }

const streamQuery = z.object({
  player: z
    .optional(z.uuid())
    .check(
      z.describe(
        "The account's player that sends the request. It must have a player place. Requests without this parameter count as a single player of the account.",
      ),
    ),
})

export const streamTrack = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/stream',
  summary: 'The full track, in the quality of the plan. Supports range requests (RFC 9110).',
  access: 'member',
  params: trackParams,
  query: z.extend(streamQuery, {
    keep: z
      .optional(z.literal('true'))
      .check(
        z.describe(
          'For offline playback with Premium: the file is served from this URL without a redirect, and the number of tracks per day is limited.',
        ),
      ),
  }),
  headers: rangeHeader,
  produces: 'audio/mp4',
  redirects: [302, 'A short-lived URL of the object store, if one is used.'],
  /** The `details` of `premium_required`: `reason`, and `until` during early access. */
  errors: [
    'track_not_found',
    'track_file_missing',
    'premium_required',
    'playing_elsewhere',
    'too_many_streams',
    'too_many_downloads',
    'range_not_satisfiable',
    'precondition_failed',
  ],
})

export const streamPreview = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/preview',
  summary: 'The preview of a published track. Previews of showcase tracks are public.',
  access: 'anyone',
  params: trackParams,
  query: streamQuery,
  headers: rangeHeader,
  produces: 'audio/mp4',
  redirects: [302, 'A short-lived URL of the object store, if one is used.'],
  errors: [
    'unauthenticated',
    'track_not_found',
    'track_file_missing',
    'playing_elsewhere',
    'too_many_streams',
    'range_not_satisfiable',
    'precondition_failed',
  ],
})

export const likeTrack = endpoint({
  method: 'PUT',
  path: '/api/tracks/:id/like',
  summary: 'Like a track. Liking it again changes nothing.',
  access: 'member',
  params: trackParams,
  errors: ['track_not_found'],
})

export const unlikeTrack = endpoint({
  method: 'DELETE',
  path: '/api/tracks/:id/like',
  summary: 'Remove a like from a track.',
  access: 'member',
  params: trackParams,
})

/** Maximum number of tracks that one request may like. */
export const maxLikedTracks = 1000

export const likeTracks = endpoint({
  method: 'PUT',
  path: '/api/likes',
  summary:
    'Like several tracks, or remove their likes. If one does not exist, none is changed. Liking again changes nothing.',
  access: 'member',
  body: z.object({
    track_ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(maxLikedTracks)),
    is_liked: z.boolean(),
  }),
  errors: ['track_not_found'],
})
