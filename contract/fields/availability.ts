// When and for whom something that is published can be opened or heard: fields in requests and responses, and what
// they mean. Tracks, releases and curated playlists have them.
import * as z from 'zod/mini'
import { moment, timestamp } from './dates.ts'
import type { Restriction } from './restriction.ts'
import { isTimeZone } from './zoned-time.ts'

export const earlyAccessMaxDays = 365

/** `everyone`: members, and anyone by its public page. */
export const audiences = ['everyone', 'members', 'premium'] as const
export type Audience = (typeof audiences)[number]

export function isAudience(value: string): value is Audience {
  return audiences.some((audience) => audience === value)
}

/** The states between a draft and something with a public page. */
export const availabilities = [
  'draft',
  'scheduled',
  'early_access',
  'premium_only',
  'members',
  'everyone',
] as const
export type Availability = (typeof availabilities)[number]

const timeZone = z
  .string()
  .check(z.maxLength(64), z.refine(isTimeZone, 'Use the name of a time zone, like Europe/Berlin'))

/** What admins may write. */
export const availabilityInput = {
  release_at: z
    .optional(z.nullable(moment))
    .check(
      z.describe(
        'Publish at this time, which must be in the future. Null: no date. Requires `release_zone`.',
      ),
    ),
  release_zone: z
    .optional(z.nullable(timeZone))
    .check(z.describe('The time zone in which the date was entered.')),
  early_access_days: z
    .optional(z.number().check(z.int(), z.minimum(0), z.maximum(earlyAccessMaxDays)))
    .check(
      z.describe(
        'Number of days after publication in which only Premium members can play it in full.',
      ),
    ),
  audience: z.optional(z.enum(audiences)),
}

/** What admins read. */
export const availabilityFields = {
  release_at: z.nullable(timestamp).check(z.describe('Only while it is scheduled.')),
  release_zone: z.nullable(z.string()),
  early_access_days: z.number(),
  audience: z.enum(audiences),
}

/** What members read. */
export const premiumMarks = {
  premium_only: z.boolean(),
  early_access_until: z
    .nullable(timestamp)
    .check(
      z.describe(
        'Until then only Premium members can play it in full. Null if that has passed. Lists may be cached, so compare the time.',
      ),
    ),
}

/** Why only Premium members have it now; null if every member does. Previous versions left the fields out. */
export function restrictionOf(
  marks: { premium_only?: boolean | null; early_access_until?: string | null },
  now: number,
): Restriction | null {
  if (marks.premium_only) return { reason: 'premium_only' }
  const until = marks.early_access_until
  return until && Date.parse(until) > now ? { reason: 'early_access', until } : null
}
