// Releases for admins: drafts and published releases, with all their tracks.
import * as z from 'zod/mini'
import { availabilities } from '../fields/availability.ts'
import { availabilityFields, availabilityInput } from '../availability-input.ts'
import { cleanName } from '../fields/clean-name.ts'
import { day, timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination, sortDirections } from '../fields/pagination.ts'
import { pictureErrors } from '../fields/pictures.ts'
import { releaseKinds } from '../fields/release-fields.ts'
import { cleanUpc, isUpc } from '../fields/upc.ts'
import { readVersion, version } from '../fields/versions.ts'
import { maxReleaseTracks, release } from '../releases.ts'
import { searchMaxLength } from '../tracks.ts'
import { adminTrack } from './admin-tracks.ts'

export const releaseTitleMaxLength = 200
export const releaseDescriptionMaxLength = 5000
export const maxReleaseArtists = 20

export const adminRelease = z.extend(z.omit(release, { is_liked: true }), {
  label: z.nullable(z.string()).check(z.describe('The record label.')),
  upc: z.nullable(z.string()),
  is_published: z.boolean(),
  ...availabilityFields,
  published_count: z
    .number()
    .check(
      z.describe(
        'The number of tracks visible to members. `track_count` and `duration` include all tracks.',
      ),
    ),
  updated_at: timestamp,
  version,
})
export type AdminRelease = z.infer<typeof adminRelease>

export const adminReleaseTrack = z.extend(
  z.pick(adminTrack, {
    id: true,
    title: true,
    artist: true,
    duration: true,
    explicit: true,
    ai_disclosure: true,
    loudness_lufs: true,
    true_peak_dbtp: true,
    cover_url: true,
    cover_tint: true,
    cover_placeholder: true,
    is_published: true,
    processing_status: true,
    release_at: true,
    release_zone: true,
    early_access_days: true,
    audience: true,
    premium_only: true,
    early_access_until: true,
  }),
  { disc: z.number(), position: z.number() },
)
export type AdminReleaseTrack = z.infer<typeof adminReleaseTrack>

export const adminReleaseDetail = z.extend(adminRelease, {
  description: z.nullable(z.string()),
  has_own_cover: z
    .boolean()
    .check(
      z.describe(
        "Whether the release has a cover of its own. If false, the first track's cover is used.",
      ),
    ),
  album_loudness_lufs: z.nullable(z.number()),
  tracks: z.array(adminReleaseTrack),
})
export type AdminReleaseDetail = z.infer<typeof adminReleaseDetail>

const title = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(1, 'Title is required'),
    z.maxLength(releaseTitleMaxLength),
  )

const releaseFields = {
  kind: z.optional(z.enum(releaseKinds)),
  slug: z
    .optional(
      z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(100),
          z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Use a to z, 0 to 9 and hyphens'),
        ),
    )
    .check(
      z.describe(
        "The last segment of the release's URL. If absent on creation, it is derived from the title.",
      ),
    ),
  artists: z
    .optional(
      z
        .array(
          z.object({
            name: z.string().check(z.overwrite(cleanName), z.minLength(1), z.maxLength(200)),
            joiner: z.optional(z.string().check(z.maxLength(20))),
          }),
        )
        .check(
          z.maxLength(maxReleaseArtists),
          z.refine(
            (artists) => new Set(artists.map(({ name }) => name)).size === artists.length,
            'Each artist may occur only once',
          ),
        ),
    )
    .check(
      z.describe(
        'Artists by name. A name that is new creates an artist. If absent on creation, the artists of the tracks are used.',
      ),
    ),
  cover_path: z
    .optional(z.nullable(z.string().check(z.maxLength(300))))
    .check(z.describe('The `path` of a completed cover upload. Null removes the cover.')),
  description: z.optional(
    z.nullable(z.string().check(z.trim(), z.maxLength(releaseDescriptionMaxLength))),
  ),
  release_date: z.optional(z.nullable(day)),
  label: z
    .optional(z.nullable(z.string().check(z.overwrite(cleanName), z.maxLength(200))))
    .check(z.describe('The record label.')),
  upc: z.optional(
    z.nullable(
      z.string().check(
        z.overwrite(cleanUpc),
        z.maxLength(13),
        z.refine((code) => code === '' || isUpc(code), 'Enter a valid UPC or EAN code'),
      ),
    ),
  ),
  tracks: z
    .optional(
      z
        .array(
          z.object({
            track_id: z.uuid(),
            disc: z._default(z.number().check(z.int(), z.minimum(1), z.maximum(100)), 1),
          }),
        )
        .check(
          z.maxLength(maxReleaseTracks),
          z.refine(
            (tracks) => new Set(tracks.map(({ track_id }) => track_id)).size === tracks.length,
            'Each track may occur only once',
          ),
        ),
    )
    .check(z.describe('All tracks of the release, in order. Positions are counted per disc.')),
  /**
   * Tracks without availability settings of their own follow the release. Its date also publishes them, except those
   * that have their own date.
   */
  ...availabilityInput,
}

const params = z.object({ id: z.uuid() })
const saveErrors = [
  'release_slug_taken',
  'track_not_found',
  'release_in_past',
  'release_published',
  ...pictureErrors,
] as const

const sortFields = ['created_at', 'title', 'artist', 'release_date'] as const

export const listAdminReleases = endpoint({
  method: 'GET',
  path: '/api/admin-releases',
  summary: 'Every release, published or not.',
  access: 'creator',
  owned: 'filtered',
  mayLag: true,
  query: z.object({
    q: z.optional(z.string().check(z.maxLength(searchMaxLength))),
    kind: z.optional(z.enum(releaseKinds)),
    published: z.optional(z.enum(['true', 'false'])),
    availability: z.optional(z.enum(availabilities)),
    sort: z._default(z.enum(sortFields), 'created_at'),
    direction: z._default(z.enum(sortDirections), 'desc'),
    ...pageQuery(50),
  }),
  output: z.object({ data: z.array(adminRelease), pagination }),
})

export const getAdminRelease = endpoint({
  method: 'GET',
  path: '/api/admin-releases/:id',
  summary: 'A release with all its tracks in order.',
  access: 'creator',
  owned: { own: { release: ['params.id'] } },
  versionAt: 'version',
  params,
  output: adminReleaseDetail,
  errors: ['release_not_found'],
})

export const createRelease = endpoint({
  method: 'POST',
  path: '/api/admin-releases',
  summary: 'Create an unpublished release, optionally with tracks and a publication date.',
  access: 'creator',
  owned: { own: { track: ['body.tracks.track_id'] } },
  creates: true,
  audit: { release: ['create'] },
  body: z.object({ ...releaseFields, title }),
  output: adminReleaseDetail,
  errors: saveErrors,
})

export const updateRelease = endpoint({
  method: 'PATCH',
  path: '/api/admin-releases/:id',
  summary:
    'Change the given fields. If a version is sent, the change is refused when the release has been changed since that version.',
  access: 'creator',
  owned: { drafts: { release: ['params.id'] }, own: { track: ['body.tracks.track_id'] } },
  versionAt: 'version',
  audit: { release: ['update'], track: ['update'] },
  params,
  body: z.object({ ...releaseFields, title: z.optional(title), version: readVersion }),
  output: adminReleaseDetail,
  errors: ['release_not_found', 'changed_meanwhile', ...saveErrors],
})

export const publishRelease = endpoint({
  method: 'POST',
  path: '/api/admin-releases/:id/publish',
  summary:
    'Publish a release immediately and clear its date. With `publish_tracks`, its tracks are published too, as soon as they are processed.',
  access: 'editor',
  audit: { release: ['publish'], track: ['publish', 'update'] },
  params,
  body: z.object({ publish_tracks: z._default(z.boolean(), false) }),
  output: adminReleaseDetail,
  errors: ['release_not_found', 'release_empty'],
})

export const unpublishRelease = endpoint({
  method: 'POST',
  path: '/api/admin-releases/:id/unpublish',
  summary: 'Hide a release from members and clear its date. Its tracks are not changed.',
  access: 'editor',
  audit: { release: ['unpublish'] },
  params,
  output: adminReleaseDetail,
  errors: ['release_not_found'],
})

export const deleteRelease = endpoint({
  method: 'DELETE',
  path: '/api/admin-releases/:id',
  summary: 'Delete a release. Its tracks are kept. The deletion can be undone for a minute.',
  access: 'creator',
  owned: { drafts: { release: ['params.id'] } },
  needsConfirmation: true,
  audit: { release: ['delete'] },
  params,
  errors: ['release_not_found'],
})

export const restoreRelease = endpoint({
  method: 'POST',
  path: '/api/admin-releases/:id/restore',
  summary: 'Undo the deletion of a release within a minute.',
  access: 'creator',
  owned: { drafts: { release: ['params.id'] } },
  audit: { release: ['restore'] },
  params,
  output: adminReleaseDetail,
  errors: ['undo_expired'],
})

export const exportRelease = endpoint({
  method: 'GET',
  path: '/api/admin-releases/:id/export',
  summary: 'The original recordings of a release, its cover and a description, as a tar file.',
  access: 'editor',
  needsConfirmation: true,
  audit: { release: ['export'] },
  params,
  produces: 'application/x-tar',
  errors: ['release_not_found'],
})

/** A release proposed from the tags or the folder of imported files. */
export const releaseProposal = z.object({
  key: z
    .string()
    .check(
      z.describe(
        'Identifies the group of tracks. Files that join the group later keep the same key.',
      ),
    ),
  title: z.string(),
  artist: z.string(),
  kind: z.enum(releaseKinds),
  year: z.nullable(z.number()),
  label: z
    .nullable(z.string())
    .check(z.describe('The record label, as given by the other server.')),
  source: z.enum(['album', 'folder']).check(z.describe('Where the title comes from.')),
  tracks: z.array(
    z.object({ track_id: z.uuid(), title: z.string(), disc: z.number(), position: z.number() }),
  ),
  cover_url: z.nullable(z.string()),
  cover_tint: z.nullable(z.string()),
  cover_placeholder: z.nullable(z.string()),
})
export type ReleaseProposal = z.infer<typeof releaseProposal>

export const maxProposals = 200

export const listReleaseProposals = endpoint({
  method: 'GET',
  path: '/api/admin-releases/proposals',
  summary:
    'Releases proposed from the album tags or folders of imported files, newest first. Only tracks that are not on a release are included.',
  access: 'creator',
  owned: 'filtered',
  query: z.object({
    batch: z.optional(z.uuid()).check(z.describe('Only tracks of this batch.')),
  }),
  output: z.object({ data: z.array(releaseProposal) }),
})

const proposalKey = z
  .string()
  .check(z.regex(/^[0-9a-f]{64}$/))
  .register(z.globalRegistry, { examples: ['9f86d081884c7d65'.repeat(4)] })
const proposalKeys = z.array(proposalKey)

export const confirmReleaseProposals = endpoint({
  method: 'POST',
  path: '/api/admin-releases/proposals',
  summary: 'Create the proposed releases: as drafts, or published with their tracks.',
  access: 'creator',
  owned: 'filtered',
  creates: true,
  audit: { release: ['create', 'publish'], track: ['publish', 'update'] },
  body: z.object({
    keys: proposalKeys.check(z.minLength(1), z.maxLength(maxProposals)),
    publish: z
      ._default(z.boolean(), false)
      .check(
        z.describe(
          'Publish each release, and each of its tracks as soon as it is processed. A release without publishable tracks remains a draft.',
        ),
      ),
  }),
  output: z.object({ data: z.array(adminRelease) }),
  /** `conflict`: the tracks of a proposal have changed, so no release was created. */
  errors: ['conflict'],
})

export const dismissReleaseProposals = endpoint({
  method: 'POST',
  path: '/api/admin-releases/proposals/dismiss',
  summary: 'Dismiss these proposals. They are not proposed again.',
  access: 'creator',
  owned: 'filtered',
  audit: { release: ['update'] },
  body: z.object({ keys: proposalKeys.check(z.minLength(1), z.maxLength(maxProposals)) }),
  errors: ['conflict'],
})
