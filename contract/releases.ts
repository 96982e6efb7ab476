// Releases for members: published ones only, with their published tracks.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
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
  joiner: z.string().check(z.describe('The text between this name and the next one.')),
})
export type ReleaseArtist = z.infer<typeof releaseArtist>

export const release = z.object({
  id: z.uuid(),
  kind: z.enum(releaseKinds),
  title: z.string(),
  slug: z.string(),
  share_url: z
    .string()
    .check(z.describe('What to share: the public page, or the path in the app for members.')),
  artist: z.string().check(z.describe('The names of its artists as one text.')),
  artists: z.array(releaseArtist),
  /** Its own cover, or else that of its first track. */
  ...coverFields,
  release_date: z.nullable(z.string()).check(z.describe('`2026-11-21`.')),
  track_count: z.number().check(z.describe('Published tracks.')),
  duration: z.number().check(z.describe('Sum over its published tracks, in whole seconds.')),
  ...premiumMarks,
  created_at: timestamp,
  is_liked: z.boolean(),
})
export type Release = z.infer<typeof release>

export const releaseTrack = z.extend(track, {
  disc: z.number(),
  position: z.number().check(z.describe('Counted from 1 on each disc.')),
})
export type ReleaseTrack = z.infer<typeof releaseTrack>

export const releaseDetail = z.extend(release, {
  description: z.nullable(z.string()),
  label: z.nullable(z.string()),
  upc: z.nullable(z.string()),
  album_loudness_lufs: z
    .nullable(z.number())
    .check(
      z.describe(
        'The mean loudness of its tracks in LUFS. When the release is played in order, all its tracks get the gain derived from it.',
      ),
    ),
  album_true_peak_dbtp: z
    .nullable(z.number())
    .check(z.describe('The highest true peak of its tracks.')),
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
    q: z
      .optional(z.string().check(z.maxLength(searchMaxLength)))
      .check(z.describe('Substring of title, artist or label; ignores case and accents.')),
    kind: z.optional(z.enum(releaseKinds)),
    artist: z.optional(z.uuid()).check(z.describe('Id of an artist of the release.')),
    liked: z.optional(z.literal('true')),
    order: z
      .optional(z.enum(['newest', 'title']))
      .check(z.describe('Default: newest first, or with `q` best match first.')),
    limit: z._default(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)),
      releasesPageSize,
    ),
    cursor: z
      .optional(z.string().check(z.maxLength(500)))
      .check(z.describe('The `next_cursor` of the previous page.')),
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
  summary: 'Remove the like of a release.',
  access: 'member',
  params: likeParams,
})
