// When and for whom something that is published can be opened or heard: fields in requests and responses, and what
// they mean. Tracks, releases and curated playlists have them.
import * as z from 'zod/mini'
import { timestamp } from './dates.ts'

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

/** Details of `premium_required`. */
export type Restriction = { reason: 'premium_only' } | { reason: 'early_access'; until: string }

/** Why only Premium members have it now; null if every member does. Previous versions left the fields out. */
export function restrictionOf(
  marks: { premium_only?: boolean | null; early_access_until?: string | null },
  now: number,
): Restriction | null {
  if (marks.premium_only) return { reason: 'premium_only' }
  const until = marks.early_access_until
  return until && Date.parse(until) > now ? { reason: 'early_access', until } : null
}
