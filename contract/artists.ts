// Artists for members: those with a published track.
import * as z from 'zod/mini'
import { artistLink } from './fields/artist-credits.ts'
import { coverFields } from './fields/cover-fields.ts'
import { endpoint } from './endpoint.ts'
import { searchMaxLength, track } from './tracks.ts'

export const artistPageSize = 50

export const artist = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  share_url: z
    .string()
    .check(z.describe('What to share: the public page, or the path in the app for members.')),
  /** The picture of the artist; null: draw one from the name. */
  ...coverFields,
  track_count: z.number().check(z.describe('Published tracks with this artist in any role.')),
})
export type Artist = z.infer<typeof artist>

export const artistDetail = z.extend(artist, {
  is_followed: z.boolean().check(z.describe('The member follows the artist.')),
  biography: z.nullable(z.string()),
  links: z.array(artistLink),
  top_tracks: z.array(track).check(z.describe('Most played in recent months first.')),
  appears_on: z
    .array(track)
    .check(z.describe('Newest tracks on which this artist has a role other than main.')),
  related: z
    .array(artist)
    .check(z.describe('Artists who share tracks or a category with this one.')),
})
export type ArtistDetail = z.infer<typeof artistDetail>

const artistOrders = ['name', 'newest'] as const

export const listArtists = endpoint({
  method: 'GET',
  path: '/api/artists',
  summary:
    'Artists with a published track, 50 at a time: by name, or in a search best match first.',
  access: 'member',
  mayLag: true,
  query: z.object({
    q: z
      .optional(z.string().check(z.maxLength(searchMaxLength)))
      .check(z.describe('Substring of the name; ignores case and accents.')),
    followed: z
      .optional(z.enum(['true']))
      .check(z.describe('Only artists that the member follows.')),
    order: z
      .optional(z.enum(artistOrders))
      .check(z.describe('Default: by name, or with `q` best match first.')),
    limit: z._default(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)),
      artistPageSize,
    ),
    cursor: z
      .optional(z.string().check(z.maxLength(2000)))
      .check(z.describe('The `next_cursor` of the previous page.')),
  }),
  output: z.object({ data: z.array(artist), next_cursor: z.nullable(z.string()) }),
})

export const getArtist = endpoint({
  method: 'GET',
  path: '/api/artists/:id',
  summary:
    'One artist by id or slug, with their tracks. A former slug, or the id of a merged artist, returns the current one.',
  access: 'member',
  mayLag: true,
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(80)) }),
  output: artistDetail,
  errors: ['artist_not_found'],
})

/** Artists that one member may follow. */
export const maxFollowedArtists = 2000
const followParams = z.object({ id: z.uuid() })

export const followArtist = endpoint({
  method: 'PUT',
  path: '/api/artists/:id/follow',
  summary:
    'Follow an artist: their new music is in the release news of the member. Following them again changes nothing.',
  access: 'member',
  params: followParams,
  errors: ['artist_not_found', 'follow_limit_reached'],
})

export const unfollowArtist = endpoint({
  method: 'DELETE',
  path: '/api/artists/:id/follow',
  summary: 'Stop following an artist.',
  access: 'member',
  params: followParams,
})
