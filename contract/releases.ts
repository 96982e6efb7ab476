// Releases for members: published ones only, with their published tracks.
import * as z from 'zod/mini'
import { coverFields } from './fields/cover-fields.ts'
import { endpoint } from './endpoint.ts'
import { premiumMarks } from './fields/availability.ts'
import { releaseKinds } from './fields/release-fields.ts'
import { searchMaxLength, track } from './tracks.ts'

export const releasesPageSize = 48
export const maxReleaseTracks = 500

/** An artist of a release. */
export const releaseArtist = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  /** The text between this name and the next one. */
  joiner: z.string(),
})
export type ReleaseArtist = z.infer<typeof releaseArtist>

export const release = z.object({
  id: z.uuid(),
  kind: z.enum(releaseKinds),
  title: z.string(),
  slug: z.string(),
  /** What to share: the public page, or the path in the app for members. */
  share_url: z.string(),
  /** The names of its artists as one text. */
  artist: z.string(),
  artists: z.array(releaseArtist),
  /** Its own cover, or else that of its first track. */
  ...coverFields,
  /** `2026-11-21`. */
  release_date: z.nullable(z.string()),
  /** Published tracks. */
  track_count: z.number(),
  /** Sum over its published tracks, in whole seconds. */
  duration: z.number(),
  ...premiumMarks,
  created_at: z.string(),
  is_liked: z.boolean(),
})
export type Release = z.infer<typeof release>

export const releaseTrack = z.extend(track, {
  disc: z.number(),
  /** Counted from 1 on each disc. */
  position: z.number(),
})
export type ReleaseTrack = z.infer<typeof releaseTrack>

export const releaseDetail = z.extend(release, {
  description: z.nullable(z.string()),
  label: z.nullable(z.string()),
  upc: z.nullable(z.string()),
  /** The mean loudness of its tracks in LUFS. Played in order, all of them get the gain that follows from it. */
  album_loudness_lufs: z.nullable(z.number()),
  /** The highest true peak of its tracks. */
  album_true_peak_dbtp: z.nullable(z.number()),
  tracks: z.array(releaseTrack),
})
export type ReleaseDetail = z.infer<typeof releaseDetail>

/** An id, a slug, or a slug that the release had before. */
export const releaseParams = z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)) })
const likeParams = z.object({ id: z.uuid() })

export const listReleases = endpoint({
  method: 'GET',
  path: '/api/releases',
  summary:
    'Published releases: newest first, or in a search the best matches first. All filters apply together.',
  access: 'member',
  mayLag: true,
  query: z.object({
    /** Substring of title, artist or label; ignores case and accents. */
    q: z.optional(z.string().check(z.maxLength(searchMaxLength))),
    kind: z.optional(z.enum(releaseKinds)),
    /** Id of an artist of the release. */
    artist: z.optional(z.uuid()),
    liked: z.optional(z.literal('true')),
    /** Default: newest first, or with `q` best match first. */
    order: z.optional(z.enum(['newest', 'title'])),
    limit: z._default(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)),
      releasesPageSize,
    ),
    /** The `next_cursor` of the previous page. */
    cursor: z.optional(z.string().check(z.maxLength(500))),
  }),
  output: z.object({ data: z.array(release), next_cursor: z.nullable(z.string()) }),
})

export const getRelease = endpoint({
  method: 'GET',
  path: '/api/releases/:id',
  summary: 'One published release with its published tracks in order, by its id or slug.',
  access: 'member',
  params: releaseParams,
  output: releaseDetail,
  errors: ['release_not_found'],
})

export const likeRelease = endpoint({
  method: 'PUT',
  path: '/api/releases/:id/like',
  summary: 'Like a release. Liking it again changes nothing.',
  access: 'member',
  params: likeParams,
  errors: ['release_not_found'],
})

export const unlikeRelease = endpoint({
  method: 'DELETE',
  path: '/api/releases/:id/like',
  summary: 'Take the like of a release back.',
  access: 'member',
  params: likeParams,
})
