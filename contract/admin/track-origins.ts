// How a track was made, as a private record for the owner. Distributors and courts ask for this evidence. It is never
// included in responses to members.
import * as z from 'zod/mini'
import { bulkMaxTracks } from './admin-tracks.ts'
import { dayOrMoment } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { originPartsFields } from '../fields/origin-parts.ts'
import { version } from '../fields/versions.ts'
import { trackParams } from '../tracks.ts'

export const trackOrigin = z.object({
  tool: z.nullable(z.string()),
  model: z.nullable(z.string()),
  plan_at_creation: z
    .nullable(z.string())
    .check(
      z.describe('The plan with the tool at that time, which determines how the song may be used.'),
    ),
  created_at_source: z.nullable(z.string()),
  source_id: z.nullable(z.string()).check(z.describe("The song's id and page at the tool.")),
  source_url: z.nullable(z.string()),
  prompt: z.nullable(z.string()),
  style: z.nullable(z.string()),
  negative_style: z.nullable(z.string()),
  seed: z.nullable(z.string()),
  parts: originPartsFields,
  rights_note: z.nullable(z.string()),
  version: version.check(z.describe('0 if nothing has been recorded yet.')),
})
export type TrackOrigin = z.infer<typeof trackOrigin>

const text = (maxLength: number) =>
  z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(maxLength))))

export const originLimits = {
  tool: 100,
  model: 100,
  plan_at_creation: 100,
  source_id: 200,
  source_url: 1000,
  prompt: 10_000,
  style: 5000,
  negative_style: 5000,
  seed: 100,
  rights_note: 5000,
} as const

export const getTrackOrigin = endpoint({
  method: 'GET',
  path: '/api/admin-tracks/:id/origin',
  summary: 'How a track was made. Private to admins.',
  access: 'creator',
  owned: { own: { track: ['params.id'] } },
  versionAt: 'version',
  params: trackParams,
  output: trackOrigin,
  errors: ['track_not_found'],
})

const originFields = {
  tool: text(originLimits.tool),
  model: text(originLimits.model),
  plan_at_creation: text(originLimits.plan_at_creation),
  created_at_source: z.optional(z.nullable(dayOrMoment)),
  source_id: text(originLimits.source_id),
  source_url: text(originLimits.source_url),
  prompt: text(originLimits.prompt),
  style: text(originLimits.style),
  negative_style: text(originLimits.negative_style),
  seed: text(originLimits.seed),
  parts: z.optional(originPartsFields),
  rights_note: text(originLimits.rights_note),
  update_disclosure: z._default(z.boolean(), false),
}

export const updateTrackOrigin = endpoint({
  method: 'PATCH',
  path: '/api/admin-tracks/:id/origin',
  summary:
    'Record how a track was made. Absent fields are not changed. With `update_disclosure`, the public disclosure is derived from the tool and parts.',
  access: 'creator',
  owned: { drafts: { track: ['params.id'] } },
  versionAt: 'version',
  audit: { track: ['update'] },
  params: trackParams,
  body: z.object({
    ...originFields,
    version: z
      .optional(z.int().check(z.minimum(0)))
      .check(z.describe('The version that was read, or 0 if nothing has been recorded yet.')),
  }),
  output: trackOrigin,
  errors: ['track_not_found', 'changed_meanwhile'],
})

export const updateTrackOrigins = endpoint({
  method: 'PATCH',
  path: '/api/admin-track-origins',
  summary:
    'Record the same origin for up to 500 tracks. Only the given fields and parts are changed. If one track cannot be changed, none is.',
  access: 'creator',
  owned: { drafts: { track: ['body.ids'] } },
  audit: { track: ['update'] },
  body: z.object({
    ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(bulkMaxTracks)),
    ...originFields,
  }),
  /** The ids of the tracks, in the given order. */
  output: z.object({ data: z.array(z.uuid()) }),
  errors: ['track_not_found'],
})
