// Releases for members: only published releases, with their published tracks.
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
    .check(
      z.describe(
        'The URL to share: the public page, or the page for members if there is no public one.',
      ),
    ),
  artist: z.string().check(z.describe("The artists' names as one text.")),
  artists: z.array(releaseArtist),
  /** The cover of the release. If it has none, the cover of its first track. */
  ...coverFields,
  release_date: z.nullable(z.string()).check(z.describe('The release date, such as `2026-11-21`.')),
  track_count: z.number().check(z.describe('The number of published tracks.')),
  duration: z
    .number()
    .check(z.describe('Total duration of the published tracks, in whole seconds.')),
  ...premiumMarks,
  created_at: timestamp,
  is_liked: z.boolean(),
})
export type Release = z.infer<typeof release>

export const releaseTrack = z.extend(track, {
  disc: z.number(),
  position: z.number().check(z.describe('The position on its disc, starting at 1.')),
})
export type ReleaseTrack = z.infer<typeof releaseTrack>

export const releaseDetail = z.extend(release, {
  description: z.nullable(z.string()),
  label: z.nullable(z.string()).check(z.describe('The record label.')),
  upc: z.nullable(z.string()),
  album_loudness_lufs: z
    .nullable(z.number())
    .check(
      z.describe(
        'The mean loudness of the tracks in LUFS. When the release is played in order, the gain derived from it is applied to all tracks.',
      ),
    ),
  album_true_peak_dbtp: z
    .nullable(z.number())
    .check(z.describe('The highest true peak of the tracks.')),
  tracks: z.array(releaseTrack),
})
export type ReleaseDetail = z.infer<typeof releaseDetail>

/** An id, a slug, or a former slug of the release. */
export const releaseParams = z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)) })
const likeParams = z.object({ id: z.uuid() })

export const listReleases = endpoint({
  method: 'GET',
  path: '/api/releases',
  summary:
    'Published releases, newest first, or by relevance in a search. All filters are combined.',
  access: 'member',
  mayLag: true,
  query: z.object({
    q: z
      .optional(z.string().check(z.maxLength(searchMaxLength)))
      .check(z.describe('A substring of title, artist or label. Ignores case and accents.')),
    kind: z.optional(z.enum(releaseKinds)),
    artist: z.optional(z.uuid()).check(z.describe("The id of one of the release's artists.")),
    liked: z.optional(z.literal('true')),
    order: z
      .optional(z.enum(['newest', 'title']))
      .check(z.describe('Defaults to newest first, or to relevance if `q` is given.')),
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
  summary: 'A published release by id or slug, with its published tracks in order.',
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
  summary: 'Remove a like from a release.',
  access: 'member',
  params: likeParams,
})
