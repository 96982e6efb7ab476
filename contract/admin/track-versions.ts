// Versions of the same song, such as several results of one prompt, remasters and live recordings.
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { trackParams } from '../tracks.ts'

/** Maximum number of versions of one song. */
export const maxVersions = 50
/** Maximum number of proposals in one response. */
export const maxVersionProposals = 100

export const versionTrack = z.object({
  id: z.uuid(),
  title: z.string(),
  artist: z.string(),
  duration: z.number(),
  is_published: z.boolean(),
})
export type VersionTrack = z.infer<typeof versionTrack>

export const versionProposal = z.object({
  by: z
    .enum(['prompt', 'title'])
    .check(
      z.describe(
        '`prompt`: made with the same prompt and style. `title`: the same artist and title, apart from a number such as “(v2)”.',
      ),
    ),
  tracks: z.array(versionTrack).check(z.describe('Two or more tracks, oldest first.')),
})
export type VersionProposal = z.infer<typeof versionProposal>

export const getTrackVersions = endpoint({
  method: 'GET',
  path: '/api/admin-tracks/:id/versions',
  summary: 'The other versions of a track, and tracks that may be versions of it.',
  access: 'editor',
  params: trackParams,
  output: z.object({
    data: z.array(versionTrack),
    proposals: z
      .array(versionProposal)
      .check(z.describe('Tracks that may be versions of this track.')),
  }),
  errors: ['track_not_found'],
})

export const listVersionProposals = endpoint({
  method: 'GET',
  path: '/api/admin-track-versions',
  summary: 'Tracks of a batch or import that may be versions of each other or of existing tracks.',
  access: 'editor',
  query: z.object({ batch: z.uuid() }),
  output: z.object({ data: z.array(versionProposal) }),
})

export const linkTrackVersions = endpoint({
  method: 'POST',
  path: '/api/admin-track-versions',
  summary: 'Link tracks as versions of one song. Versions already linked to them are included.',
  access: 'editor',
  audit: { track: ['update'] },
  body: z.object({
    track_ids: z
      .array(z.uuid())
      .check(z.minLength(2), z.maxLength(maxVersions))
      .check(z.describe('The tracks of one song.')),
  }),
  errors: ['track_not_found', 'too_many_versions'],
})

export const dismissVersionProposal = endpoint({
  method: 'POST',
  path: '/api/admin-track-versions/dismissals',
  summary:
    'Mark tracks as different songs. They are proposed again only in a proposal that includes another track.',
  access: 'editor',
  audit: { track: ['update'] },
  body: z.object({
    track_ids: z
      .array(z.uuid())
      .check(z.minLength(2), z.maxLength(maxVersions))
      .check(z.describe('The tracks of the proposal.')),
  }),
  errors: ['track_not_found'],
})

export const unlinkTrackVersion = endpoint({
  method: 'DELETE',
  path: '/api/admin-tracks/:id/versions',
  summary: 'Unlink a track from the versions of its song. To undo this, link it again.',
  access: 'editor',
  audit: { track: ['update'] },
  params: trackParams,
  errors: ['track_not_found'],
})
