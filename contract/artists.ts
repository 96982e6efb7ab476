// Artists for members: those with at least one published track.
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
    .check(
      z.describe(
        'The URL to share: the public page, or the page for members if there is no public one.',
      ),
    ),
  /** The artist's picture. If it is null, clients generate one from the name. */
  ...coverFields,
  track_count: z
    .number()
    .check(z.describe('The number of published tracks that credit this artist in any role.')),
})
export type Artist = z.infer<typeof artist>

export const artistDetail = z.extend(artist, {
  is_followed: z.boolean().check(z.describe('Whether the member follows the artist.')),
  biography: z.nullable(z.string()),
  links: z.array(artistLink),
  top_tracks: z.array(track).check(z.describe('Most played in recent months first.')),
  appears_on: z
    .array(track)
    .check(
      z.describe('The newest tracks that credit this artist in a role other than main artist.'),
    ),
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
    'Artists with a published track, 50 per page by default. Sorted by name, or by relevance in a search.',
  access: 'member',
  mayLag: true,
  query: z.object({
    q: z
      .optional(z.string().check(z.maxLength(searchMaxLength)))
      .check(z.describe('A substring of the name. Ignores case and accents.')),
    followed: z
      .optional(z.enum(['true']))
      .check(z.describe('Only artists that the member follows.')),
    order: z
      .optional(z.enum(artistOrders))
      .check(z.describe('Defaults to the name, or to relevance if `q` is given.')),
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
    'An artist by id or slug, with their tracks. A former slug or the id of a merged artist resolves to the current artist.',
  access: 'member',
  mayLag: true,
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(80)) }),
  output: artistDetail,
  errors: ['artist_not_found'],
})

/** Maximum number of artists that a member can follow. */
export const maxFollowedArtists = 2000
const followParams = z.object({ id: z.uuid() })

export const followArtist = endpoint({
  method: 'PUT',
  path: '/api/artists/:id/follow',
  summary:
    "Follow an artist. Their new music is then included in the member's release news. Following again changes nothing.",
  access: 'member',
  params: followParams,
  errors: ['artist_not_found', 'follow_limit_reached'],
})

export const unfollowArtist = endpoint({
  method: 'DELETE',
  path: '/api/artists/:id/follow',
  summary: 'Unfollow an artist.',
  access: 'member',
  params: followParams,
})
