// Availability of published tracks, releases and curated playlists: when they can be opened or played, and by whom.
import * as z from 'zod/mini'
import { timestamp } from './dates.ts'

/** `everyone`: members, and everyone else on the public page. */
export const audiences = ['everyone', 'members', 'premium'] as const
export type Audience = (typeof audiences)[number]

export function isAudience(value: string): value is Audience {
  return audiences.some((audience) => audience === value)
}

/** The availability of an item, from draft to public. */
export const availabilities = [
  'draft',
  'scheduled',
  'early_access',
  'premium_only',
  'members',
  'everyone',
] as const
export type Availability = (typeof availabilities)[number]

/** Availability fields in responses to members. */
export const premiumMarks = {
  premium_only: z.boolean(),
  early_access_until: z
    .nullable(timestamp)
    .check(
      z.describe(
        'Until then, only Premium members can play it in full. Null if early access is over. Lists may be cached, so compare the time with the current time.',
      ),
    ),
}

/** The `details` of the error `premium_required`. */
export type Restriction = { reason: 'premium_only' } | { reason: 'early_access'; until: string }

/**
 * Why an item is currently restricted to Premium members. Null if it is not restricted. Both fields are optional,
 * because previous versions omitted them.
 */
export function getRestriction(
  marks: { premium_only?: boolean | null; early_access_until?: string | null },
  now: number,
): Restriction | null {
  if (marks.premium_only) return { reason: 'premium_only' }
  const until = marks.early_access_until
  return until && Date.parse(until) > now ? { reason: 'early_access', until } : null
}
