// Tracks for members: published only, with guarded audio URLs.
import * as z from 'zod/mini'
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
  /** Of its address `/t/{slug}`; former ones still lead there. */
  slug: z.string(),
  /** What to share: the public page, or the path in the app for members. */
  share_url: z.string(),
  title: z.string(),
  /** The line made from the main and featured artists. */
  artist: z.string(),
  /** Main and featured artists in the order of the line; an opened track has all credits. */
  artists: z.array(trackArtist),
  /** The first of its categories, or null. */
  category: z.nullable(z.string()),
  /** Slugs of all its categories, the first one included, in order. */
  categories: z.array(z.string()),
  /** Short words in order: `calm`, `late night`. */
  moods: z.array(z.string()),
  genre: z.nullable(z.string()),
  description: z.nullable(z.string()),
  tags: z.array(z.string()),
  explicit: z.boolean(),
  /** Whole seconds, for display. */
  duration: z.number(),
  ...coverFields,
  /** The guarded stream of the whole track. Never a storage URL. */
  audio_url: z.string(),
  /** The preview that the server cut, if the track has one. */
  preview_url: z.nullable(z.string()),
  /** Duration of the preview: the setting it was cut with, or less if the track is shorter. */
  preview_seconds: z.nullable(z.number()),
  /** EBU R128 integrated loudness in LUFS, for loudness normalization in the player. */
  loudness_lufs: z.nullable(z.number()),
  true_peak_dbtp: z.nullable(z.number()),
  ai_disclosure: z.enum(aiDisclosures),
  ai_tool: z.nullable(z.string()),
  ...premiumMarks,
  has_lyrics: z.boolean(),
  /** Of its published releases, the first one. */
  release: z.nullable(releaseOfTrack),
  created_at: z.string(),
  is_liked: z.boolean(),
})
export type Track = z.infer<typeof track>

/** Data for the waveform and the lyrics view, fetched when a track is loaded. */
export const trackDetail = z.extend(track, {
  /** The waveform: about 800 unsigned bytes in base64; 255 is the loudest displayable level. */
  peaks: z.nullable(z.string()),
  /** LRC with timestamps, or plain text. */
  lyrics: z.nullable(z.string()),
  credits: z.nullable(z.string()),
  /** Other published versions of the song, the oldest first. */
  versions: z.array(
    z.extend(z.pick(track, { id: true, title: true, artist: true, duration: true }), coverFields),
  ),
  /** False only for admins, who can also open drafts. */
  is_published: z.boolean(),
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
    'Published tracks, 50 at a time: newest first, by title, artist or duration, or in a search the best matches first. Search, category, mood and likes apply together.',
  access: 'member',
  mayLag: true,
  query: z.object({
    /** Substring of title, artist, categories, genre or moods; ignores case and accents. */
    q: z.optional(z.string().check(z.maxLength(searchMaxLength))),
    /** Slug: tracks that have it among their categories. */
    category: z.optional(z.string().check(z.maxLength(80))),
    /** Tracks that have this mood, written as they have it. */
    mood: z.optional(z.string().check(z.maxLength(maxMoodLength))),
    liked: z.optional(z.literal('true')),
    /** Id of an artist: tracks with this artist as main, featured or remixer. */
    artist: z.optional(z.uuid()),
    /** Default: newest first, or with `q` best match first. */
    order: z.optional(z.enum(trackOrders)),
    /** Default: descending for `newest`, else ascending. Ignored without `order` in a search. */
    direction: z.optional(z.enum(sortDirections)),
    limit: z._default(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)),
      browsePageSize,
    ),
    /** The `next_cursor` of the previous page. */
    cursor: z.optional(z.string().check(z.maxLength(4000))),
  }),
  output: z.object({
    data: z.array(track),
    next_cursor: z.nullable(z.string()),
    /** Total number of matches. Only on the first page. */
    total: z.nullable(z.number()),
  }),
})

export const getTrack = endpoint({
  method: 'GET',
  path: '/api/tracks/:id',
  summary: 'One published track with its waveform and lyrics. Admins also open drafts.',
  access: 'member',
  params: trackParams,
  output: trackDetail,
  errors: ['track_not_found'],
})

const rangeHeader = { 'Range?': 'The bytes that are wanted: `bytes=0-65535`.' }

const streamQuery = z.object({
  /** Which of the person's players asks. It needs a place. Requests without one are a single player of the account. */
  player: z.optional(z.uuid()),
})

export const streamTrack = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/stream',
  summary: 'The whole track, in the quality of the plan. Ranges as in RFC 9110.',
  access: 'member',
  params: trackParams,
  query: z.extend(streamQuery, {
    /**
     * For offline use, with Premium: the file is served from this URL without a redirect, and the number of tracks per
     * day is limited.
     */
    keep: z.optional(z.literal('true')),
  }),
  headers: rangeHeader,
  produces: 'audio/mp4',
  redirects: [302, 'A short-lived address of the object store, where one is used.'],
  /** Details of `premium_required` on a restricted track: `reason`, and `until` in early access. */
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
  summary: 'The preview of a published track. Showcase tracks give theirs to anyone.',
  access: 'anyone',
  params: trackParams,
  query: streamQuery,
  headers: rangeHeader,
  produces: 'audio/mp4',
  redirects: [302, 'A short-lived address of the object store, where one is used.'],
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
  summary: 'Take a like back.',
  access: 'member',
  params: trackParams,
})

/** Tracks that one request may like. */
export const maxLikedTracks = 1000

export const likeTracks = endpoint({
  method: 'PUT',
  path: '/api/likes',
  summary:
    'Like tracks, or take their likes back: all of them or, if one does not exist, none. Liking again changes nothing.',
  access: 'member',
  body: z.object({
    track_ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(maxLikedTracks)),
    is_liked: z.boolean(),
  }),
  errors: ['track_not_found'],
})
