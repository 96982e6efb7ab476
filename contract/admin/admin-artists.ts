// Artists in the back office: every artist with its editable fields, and operations to merge and split artists.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { artistLink, artistMaxLength, artistName } from '../fields/artist-credits.ts'
import { cleanName } from '../fields/clean-name.ts'
import { coverFields } from '../fields/cover-fields.ts'
import { pageQuery, pagination, sortDirections } from '../fields/pagination.ts'
import { slugMaxLength } from '../fields/slug.ts'
import { readVersion, version } from '../fields/versions.ts'
import { endpoint } from '../endpoint.ts'
import { searchMaxLength } from '../tracks.ts'

export const adminArtist = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  sort_name: z.nullable(z.string()),
  biography: z.nullable(z.string()),
  links: z.array(artistLink),
  has_page: z
    .boolean()
    .check(
      z.describe(
        'Whether the artist has a public page. If false, there is none, even if their tracks or releases have public pages.',
      ),
    ),
  ...coverFields,
  aliases: z
    .array(z.string())
    .check(
      z.describe(
        'Former names, and the names of merged artists. Imported files tagged with one of them are credited to this artist.',
      ),
    ),
  track_count: z
    .number()
    .check(
      z.describe('The number of tracks that credit this artist in any role, including drafts.'),
    ),
  created_at: timestamp,
  version,
})
export type AdminArtist = z.infer<typeof adminArtist>

const params = z.object({ id: z.uuid() })

const slug = z
  .string()
  .check(
    z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lower-case letters, digits and hyphens'),
    z.maxLength(slugMaxLength),
  )

const link = z.object({
  label: z.string().check(z.overwrite(cleanName), z.minLength(1), z.maxLength(80)),
  url: z
    .url({ protocol: /^https?$/, error: 'Use an address that starts with https://' })
    .check(z.maxLength(500)),
})

const fields = {
  sort_name: z.optional(
    z.nullable(z.string().check(z.overwrite(cleanName), z.maxLength(artistMaxLength))),
  ),
  biography: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(5000)))),
  links: z.optional(z.array(link).check(z.maxLength(10))),
  has_page: z.optional(z.boolean()),
  cover_path: z
    .optional(z.nullable(z.string().check(z.maxLength(300))))
    .check(z.describe('The `path` of a completed cover upload. Null removes the picture.')),
}

const pictureErrors = [
  'upload_incomplete',
  'upload_used',
  'upload_not_found',
  'unsupported_image',
  'image_too_large',
] as const

/** Undoes a merge, a split or a deletion within a minute. */
const undo_id = z.uuid()

const sortFields = ['name', 'track_count', 'created_at'] as const

export const listAdminArtists = endpoint({
  method: 'GET',
  path: '/api/admin-artists',
  summary: 'Every artist, with their number of tracks.',
  access: 'creator',
  owned: 'filtered',
  mayLag: true,
  query: z.object({
    q: z.optional(z.string().check(z.maxLength(searchMaxLength))),
    sort: z._default(z.enum(sortFields), 'name'),
    direction: z._default(z.enum(sortDirections), 'asc'),
    ...pageQuery(50),
  }),
  output: z.object({ data: z.array(adminArtist), pagination }),
})

export const getAdminArtist = endpoint({
  method: 'GET',
  path: '/api/admin-artists/:id',
  summary: 'An artist with all editable fields.',
  access: 'editor',
  versionAt: 'version',
  params,
  output: adminArtist,
  errors: ['artist_not_found'],
})

export const createArtist = endpoint({
  method: 'POST',
  path: '/api/admin-artists',
  summary: 'Create an artist. If `slug` is absent, one is derived from the name.',
  access: 'editor',
  creates: true,
  audit: { artist: ['create'] },
  body: z.object({ name: artistName, slug: z.optional(slug), ...fields }),
  output: adminArtist,
  errors: ['artist_exists', 'artist_slug_taken', ...pictureErrors],
})

export const updateArtist = endpoint({
  method: 'PATCH',
  path: '/api/admin-artists/:id',
  summary:
    "Change the given fields. A new name is applied to all of the artist's tracks. The former name and slug still resolve to the artist.",
  access: 'editor',
  versionAt: 'version',
  audit: { artist: ['update'] },
  params,
  body: z.object({
    name: z.optional(artistName),
    slug: z.optional(slug),
    ...fields,
    version: readVersion,
  }),
  output: adminArtist,
  errors: [
    'artist_not_found',
    'artist_exists',
    'artist_slug_taken',
    'artist_line_too_long',
    'changed_meanwhile',
    ...pictureErrors,
  ],
})

export const deleteArtist = endpoint({
  method: 'DELETE',
  path: '/api/admin-artists/:id',
  summary: 'Delete an artist that no track or release credits.',
  access: 'editor',
  needsConfirmation: true,
  audit: { artist: ['delete'] },
  params,
  output: z.object({ undo_id }),
  errors: ['artist_not_found', 'artist_in_use'],
})

export const mergeArtists = endpoint({
  method: 'POST',
  path: '/api/admin-artists/:id/merge',
  summary:
    'Merge several artists into this one. Their tracks are then credited to this artist, and their names, slugs and ids resolve to it.',
  access: 'editor',
  needsConfirmation: true,
  audit: { artist: ['merge'] },
  params,
  body: z.object({
    artist_ids: z.array(z.uuid()).check(z.minLength(1, 'No artists selected'), z.maxLength(100)),
  }),
  output: z.object({ data: adminArtist, undo_id }),
  errors: ['artist_not_found', 'artist_line_too_long', 'conflict'],
})

export const splitArtist = endpoint({
  method: 'POST',
  path: '/api/admin-artists/:id/split',
  summary:
    "Move some of an artist's tracks to another artist, or to a new artist with the given name.",
  access: 'editor',
  creates: true,
  audit: { artist: ['split'] },
  params,
  body: z.object({
    track_ids: z.array(z.uuid()).check(z.minLength(1, 'No tracks selected'), z.maxLength(500)),
    to: z
      .union([z.object({ artist_id: z.uuid() }), z.object({ name: artistName })])
      .check(
        z.describe(
          'The artist to move the tracks to: an existing one by id, or a new one by name.',
        ),
      ),
  }),
  /** The artist to which the tracks were moved. */
  output: z.object({ data: adminArtist, undo_id }),
  errors: ['artist_not_found', 'track_not_found', 'artist_line_too_long', 'conflict'],
})

export const undoArtistChange = endpoint({
  method: 'POST',
  path: '/api/admin-artists/undo/:id',
  summary:
    'Undo a merge, a split or a deletion within a minute, unless the credits of the tracks have changed since.',
  access: 'editor',
  audit: { artist: ['restore'] },
  params,
  output: adminArtist,
  errors: ['undo_expired', 'artist_exists', 'artist_slug_taken'],
})
