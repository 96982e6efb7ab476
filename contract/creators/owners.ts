// Whom tracks, releases and artists belong to. An admin gives them to a creator, or takes them back for the service.
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const ownedKinds = ['track', 'release', 'artist'] as const
export type OwnedKind = (typeof ownedKinds)[number]

/** Items that one call may name. */
export const maxOwnedItems = 500

const item = z.object({ kind: z.enum(ownedKinds), id: z.uuid() })

export const ownedItem = z.extend(item, {
  owner_id: z.nullable(z.uuid()).check(z.describe('A creator. Null: the service itself.')),
})
export type OwnedItem = z.infer<typeof ownedItem>

const isUnique = (items: readonly { kind: string; id: string }[]) =>
  new Set(items.map(({ kind, id }) => `${kind} ${id.toLowerCase()}`)).size === items.length

export const findOwners = endpoint({
  method: 'POST',
  path: '/api/admin-owners/find',
  summary: 'Whom these tracks, releases and artists belong to. What was deleted is left out.',
  access: 'admin',
  audit: 'reads',
  body: z.object({
    items: z
      .array(item)
      .check(z.minLength(1), z.maxLength(maxOwnedItems))
      .check(z.describe('Tracks, releases and artists by their ids.')),
  }),
  output: z.object({
    data: z.array(
      z.extend(ownedItem, {
        owner_name: z.nullable(z.string()).check(z.describe('Display name, or else address.')),
      }),
    ),
  }),
})

export const changeOwners = endpoint({
  method: 'POST',
  path: '/api/admin-owners',
  summary:
    'Give tracks, releases and artists to creators, or back to the service. Waiting reviews of the former owner are withdrawn. If one cannot be given, none is.',
  access: 'admin',
  audit: { track: ['update'], release: ['update'], artist: ['update'] },
  body: z.object({
    items: z
      .array(ownedItem)
      .check(z.minLength(1), z.maxLength(maxOwnedItems), z.refine(isUnique, 'Each item only once'))
      .check(z.describe('Each with its new owner.')),
    with_parts: z
      ._default(z.boolean(), false)
      .check(
        z.describe(
          'Also the tracks of a release, and the tracks and releases whose main artist is the artist, if they belong to nobody.',
        ),
      ),
  }),
  output: z.object({
    data: z
      .array(ownedItem)
      .check(
        z.describe('The items whose owner changed, with the owner before: `items` of an undo.'),
      ),
  }),
  errors: ['track_not_found', 'release_not_found', 'artist_not_found', 'owner_not_creator'],
})
