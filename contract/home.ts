// The shelves above the list on Browse.
import * as z from 'zod/mini'
import { artist } from './artists.ts'
import { coverFields } from './fields/cover-fields.ts'
import { endpoint } from './endpoint.ts'
import { playContext } from './play-context.ts'
import { release } from './releases.ts'

/** Maximum number of items per shelf. */
export const shelfLimit = 12

export const continueItem = z.object({
  context: playContext,
  title: z.string(),
  about: z.string().check(z.describe('`Album by Ada`, `Playlist`.')),
  slug: z
    .nullable(z.string())
    .check(z.describe("For a release or artist, the last segment of its page's URL.")),
  ...coverFields,
  mosaic: z
    .array(z.string())
    .check(z.describe('Covers of the first tracks, for a playlist without a cover.')),
  track: z
    .object({ id: z.uuid(), title: z.string() })
    .check(z.describe('The track at which the member stopped.')),
})
export type ContinueItem = z.infer<typeof continueItem>

export const shelfArtist = z.omit(artist, { track_count: true })
export type ShelfArtist = z.infer<typeof shelfArtist>

export const getHome = endpoint({
  method: 'GET',
  path: '/api/home',
  summary:
    'The shelves of a member’s start screen: lists to continue, most recent first; releases of the last 90 days, newest first; and the artists they like and play most. A shelf may be empty.',
  access: 'member',
  output: z.object({
    continue: z.array(continueItem),
    new_releases: z.array(release),
    artists: z.array(shelfArtist),
  }),
})
