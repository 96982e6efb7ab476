// Spots in the back office: the owner's messages between songs of free members, the rules for showing them, and their
// statistics.
import * as z from 'zod/mini'
import { cleanName } from '../../fields/clean-name.ts'
import { coverFields } from '../../fields/cover-fields.ts'
import { moment, timestamp } from '../../fields/dates.ts'
import { endpoint } from '../../endpoint.ts'
import { spotKinds } from '../../spots.ts'

export const maxSpots = 200
export const spotTitleMaxLength = 100
export const spotTextMaxLength = 300
export const spotLabelMaxLength = 40
export const spotLinkMaxLength = 500
export const spotMaxSeconds = 120
export const spotLimits = { every_songs: 50, per_hour: 30, skip_after_seconds: 60 } as const

export const spotStates = ['on', 'off', 'processing', 'failed', 'waiting', 'over'] as const
export type SpotState = (typeof spotStates)[number]

const categoryNote = z.describe(
  'The spot is shown only after songs of these categories. If empty, after any song.',
)
const linkNote = z.describe('The target of the link. Null for no link.')
const labelNote = z.describe('The link text. If empty, the host name of the target is shown.')
const onNote = z.describe(
  'Whether the spot is on. It is then shown between its start and end dates.',
)

export const adminSpot = z.object({
  id: z.uuid(),
  kind: z.enum(spotKinds),
  title: z.string(),
  text: z.string(),
  link_url: z.nullable(z.string()).check(linkNote),
  link_label: z.string().check(labelNote),
  ...coverFields,
  is_on: z.boolean().check(onNote),
  starts_at: z.nullable(timestamp),
  ends_at: z.nullable(timestamp),
  category_ids: z.array(z.uuid()).check(categoryNote),
  state: z.enum(spotStates).check(z.describe('`waiting` before its start, `over` after its end.')),
  processing_error: z.nullable(z.string()),
  audio_url: z.nullable(z.string()),
  duration: z
    .number()
    .check(z.describe('Length of the sound in seconds, or 0 if it has no sound.')),
  shown: z.number().check(z.describe('How often the spot was shown.')),
  finished: z.number().check(z.describe('How often it was heard or seen to the end.')),
  clicked: z.number().check(z.describe('How often its link was opened.')),
  created_at: timestamp,
})
export type AdminSpot = z.infer<typeof adminSpot>

export const spotRules = z.object({
  every_songs: z
    .int()
    .check(
      z.minimum(1),
      z.maximum(spotLimits.every_songs),
      z.describe('A member gets at most one spot per this number of songs.'),
    ),
  per_hour: z
    .int()
    .check(
      z.minimum(1),
      z.maximum(spotLimits.per_hour),
      z.describe('Maximum number of spots that a member gets per hour.'),
    ),
  skip_after_seconds: z
    .nullable(z.int().check(z.minimum(0), z.maximum(spotLimits.skip_after_seconds)))
    .check(z.describe('Seconds after which a sound can be skipped. Null if it cannot be skipped.')),
  offers_premium: z
    .boolean()
    .check(z.describe('Whether a card without sound offers Premium when no spot is due.')),
})
export type SpotRules = z.infer<typeof spotRules>

const params = z.object({ id: z.uuid() })
const path = z.string().check(z.maxLength(300))

const fields = {
  title: z
    .string()
    .check(
      z.overwrite(cleanName),
      z.minLength(1, 'Title is required'),
      z.maxLength(spotTitleMaxLength),
    ),
  text: z.optional(z.string().check(z.trim(), z.maxLength(spotTextMaxLength))),
  link_url: z
    .optional(
      z.nullable(
        z
          .url({ protocol: /^https?$/, error: 'Use an address that starts with https://' })
          .check(z.maxLength(spotLinkMaxLength)),
      ),
    )
    .check(linkNote),
  link_label: z
    .optional(z.string().check(z.overwrite(cleanName), z.maxLength(spotLabelMaxLength)))
    .check(labelNote),
  is_on: z.optional(z.boolean()).check(onNote),
  starts_at: z.optional(z.nullable(moment)),
  ends_at: z.optional(z.nullable(moment)),
  category_ids: z.optional(z.array(z.uuid()).check(z.maxLength(50))).check(categoryNote),
  audio_path: z
    .optional(path)
    .check(z.describe('The `path` of a completed audio upload. Only for the kind `sound`.')),
  cover_path: z
    .optional(z.nullable(path))
    .check(z.describe('The `path` of a completed cover upload. Null removes the picture.')),
}

const uploadErrors = [
  'upload_incomplete',
  'upload_used',
  'upload_not_found',
  'unsupported_image',
  'image_too_large',
] as const

export const listSpots = endpoint({
  method: 'GET',
  path: '/api/admin-spots',
  summary:
    'All spots with their statistics, newest first, and the rules for how often they are shown.',
  access: 'admin',
  output: z.object({ data: z.array(adminSpot), rules: spotRules }),
})

export const createSpot = endpoint({
  method: 'POST',
  path: '/api/admin-spots',
  summary: 'Create a spot: a sound from a completed upload, or a card.',
  access: 'admin',
  creates: true,
  audit: { spot: ['create'] },
  body: z.object({ kind: z.enum(spotKinds), ...fields }),
  output: adminSpot,
  errors: ['too_many_spots', 'spot_without_sound', 'spot_dates', ...uploadErrors],
})

export const updateSpot = endpoint({
  method: 'PATCH',
  path: '/api/admin-spots/:id',
  summary: 'Change the given fields. A new sound replaces the old one once it is encoded.',
  access: 'admin',
  audit: { spot: ['update'] },
  params,
  body: z.object({ ...fields, title: z.optional(fields.title) }),
  output: adminSpot,
  errors: ['spot_not_found', 'spot_without_sound', 'spot_dates', ...uploadErrors],
})

export const deleteSpot = endpoint({
  method: 'DELETE',
  path: '/api/admin-spots/:id',
  summary: 'Delete a spot and its statistics.',
  access: 'admin',
  needsConfirmation: true,
  audit: { spot: ['delete'] },
  params,
  errors: ['spot_not_found'],
})

export const updateSpotRules = endpoint({
  method: 'PUT',
  path: '/api/admin-spot-rules',
  summary:
    'Set how often a member gets a spot, and whether Premium is offered when no spot is due.',
  access: 'admin',
  audit: { settings: ['update'] },
  body: spotRules,
  output: spotRules,
})
