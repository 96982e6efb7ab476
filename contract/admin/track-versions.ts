// Tracks that are versions of one song: takes of one prompt, remasters, live recordings.
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { trackParams } from '../tracks.ts'

/** Of one song. */
export const maxVersions = 50
/** Proposals in one answer. */
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
        '`prompt`: made with the same prompt and style. `title`: the same artist and title, up to a number like “(v2)”.',
      ),
    ),
  tracks: z.array(versionTrack).check(z.describe('Two or more, the oldest first.')),
})
export type VersionProposal = z.infer<typeof versionProposal>

export const getTrackVersions = endpoint({
  method: 'GET',
  path: '/api/admin-tracks/:id/versions',
  summary: 'The other versions of a track, and tracks that may be some.',
  access: 'admin',
  params: trackParams,
  output: z.object({
    data: z.array(versionTrack),
    proposals: z.array(versionProposal).check(z.describe('Tracks that may be versions of it.')),
  }),
  errors: ['track_not_found'],
})

export const listVersionProposals = endpoint({
  method: 'GET',
  path: '/api/admin-track-versions',
  summary:
    'Tracks of one drop of files or one import that may be versions of each other, or of tracks that were here.',
  access: 'admin',
  query: z.object({ batch: z.uuid() }),
  output: z.object({ data: z.array(versionProposal) }),
})

export const linkTrackVersions = endpoint({
  method: 'POST',
  path: '/api/admin-track-versions',
  summary:
    'Link tracks as versions of one song, together with the versions that they have already.',
  access: 'admin',
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
    'Say that tracks are no versions of each other. They are proposed again only together with another track.',
  access: 'admin',
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
  summary: 'Take a track out of the versions of its song. Linking it again is the undo.',
  access: 'admin',
  audit: { track: ['update'] },
  params: trackParams,
  errors: ['track_not_found'],
})
