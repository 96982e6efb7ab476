// Similar tracks, and the lists that are generated from them: radio, daily mixes, and a path from one track to
// another.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { radioSeed } from './play-context.ts'
import { releaseParams } from './releases.ts'
import { track, trackParams } from './tracks.ts'

export const similarLimit = 50
/** Number of tracks that radio appends to a queue in one step. */
export const stationLength = 25
export const mixLimit = 6
export const mixLength = 50

export const similarTrack = z.object({
  track,
  reason: z.string().check(z.describe('The reason as a text: `same mood: dark ambient, 84 BPM`.')),
})
export type SimilarTrack = z.infer<typeof similarTrack>

export const listSimilarTracks = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/similar',
  summary: 'Tracks similar to a published track, most similar first, each with the reason.',
  access: 'member',
  mayLag: true,
  params: trackParams,
  query: z.object({
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(similarLimit)), 12),
  }),
  output: z.object({ data: z.array(similarTrack) }),
  errors: ['track_not_found'],
})

export const listSimilarToRelease = endpoint({
  method: 'GET',
  path: '/api/releases/:id/similar',
  summary:
    'Tracks similar to those of a published release and not on it, most similar first, each with the reason.',
  access: 'member',
  mayLag: true,
  params: releaseParams,
  query: listSimilarTracks.query,
  output: listSimilarTracks.output,
  errors: ['release_not_found'],
})

export const startRadio = endpoint({
  method: 'POST',
  path: '/api/radio',
  summary:
    'Tracks similar to a track, artist, release, playlist or the member’s likes, in playing order. At most two tracks in a row are by the same artist. Tracks that the member played in the last 24 hours are included only if no others are left.',
  access: 'member',
  body: z.object({
    seed: radioSeed,
    exclude: z
      ._default(z.array(z.uuid()).check(z.maxLength(1000)), [])
      .check(
        z.describe(
          'Tracks to exclude, in queue order. The artists of the last two count toward the limit of two in a row.',
        ),
      ),
    limit: z._default(z.number().check(z.int(), z.minimum(1), z.maximum(100)), stationLength),
  }),
  output: z.object({
    title: z.string().check(z.describe('`Radio: similar to Night Drive`.')),
    data: z.array(track),
  }),
  errors: ['track_not_found', 'playlist_not_found', 'artist_not_found', 'release_not_found'],
})

export const mix = z.object({
  position: z.number().check(z.describe('The position among the mixes, starting at 1.')),
  title: z.string(),
  description: z.string().check(z.describe('The artists of the mix, as part of a sentence.')),
  track_count: z.number(),
  mosaic: z.array(z.string()).check(z.describe('Covers of its first tracks.')),
})
export type Mix = z.infer<typeof mix>

export const listMixes = endpoint({
  method: 'GET',
  path: '/api/mixes',
  summary:
    'The member’s mixes of the day (UTC), generated from their likes and plays. Empty if there are no likes and plays. Requires Premium.',
  access: 'member',
  output: z.object({ data: z.array(mix) }),
  errors: ['premium_required', 'feature_closed'],
})

export const getMix = endpoint({
  method: 'GET',
  path: '/api/mixes/:position',
  summary: 'The tracks of one of the member’s mixes of the day.',
  access: 'member',
  params: z.object({
    position: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(mixLimit)),
  }),
  output: z.object({ title: z.string(), data: z.array(track) }),
  errors: ['premium_required', 'feature_closed', 'not_found'],
})

export const findTrackPath = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/path',
  summary:
    'A path of similar tracks from one track to another, both included. Empty if there is none.',
  access: 'member',
  mayLag: true,
  params: trackParams,
  query: z.object({ to: z.uuid() }),
  output: z.object({ data: z.array(track) }),
  errors: ['track_not_found', 'feature_closed'],
})
