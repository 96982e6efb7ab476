// Ownership of tracks, releases and artists. An admin assigns them to a creator, or back to the service.
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const ownedKinds = ['track', 'release', 'artist'] as const
export type OwnedKind = (typeof ownedKinds)[number]

/** Maximum number of items per request. */
export const maxOwnedItems = 500

const item = z.object({ kind: z.enum(ownedKinds), id: z.uuid() })

export const ownedItem = z.extend(item, {
  owner_id: z.nullable(z.uuid()).check(z.describe('A creator. Null for the service itself.')),
})
export type OwnedItem = z.infer<typeof ownedItem>

const isUnique = (items: readonly { kind: string; id: string }[]) =>
  new Set(items.map(({ kind, id }) => `${kind} ${id.toLowerCase()}`)).size === items.length

export const findOwners = endpoint({
  method: 'POST',
  path: '/api/admin-owners/find',
  summary: 'The owners of these tracks, releases and artists. Deleted items are omitted.',
  access: 'admin',
  audit: 'reads',
  body: z.object({
    items: z
      .array(item)
      .check(z.minLength(1), z.maxLength(maxOwnedItems))
      .check(z.describe('Tracks, releases and artists by id.')),
  }),
  output: z.object({
    data: z.array(
      z.extend(ownedItem, {
        owner_name: z
          .nullable(z.string())
          .check(z.describe('The display name, or the email address if there is none.')),
      }),
    ),
  }),
})

export const changeOwners = endpoint({
  method: 'POST',
  path: '/api/admin-owners',
  summary:
    'Assign tracks, releases and artists to creators, or back to the service. Pending reviews of the former owner are withdrawn. If one item cannot be assigned, none is.',
  access: 'admin',
  audit: { track: ['update'], release: ['update'], artist: ['update'] },
  body: z.object({
    items: z
      .array(ownedItem)
      .check(
        z.minLength(1),
        z.maxLength(maxOwnedItems),
        z.refine(isUnique, 'Each item may occur only once'),
      )
      .check(z.describe('The items, each with its new owner.')),
    with_parts: z
      ._default(z.boolean(), false)
      .check(
        z.describe(
          'Whether to include the tracks of a release, and the tracks and releases whose main artist is the given artist, if they have no owner.',
        ),
      ),
  }),
  output: z.object({
    data: z
      .array(ownedItem)
      .check(
        z.describe(
          'The items whose owner changed, with their previous owner. To undo the change, send them as `items`.',
        ),
      ),
  }),
  errors: ['track_not_found', 'release_not_found', 'artist_not_found', 'owner_not_creator'],
})
