// Admin fields that control when a published item becomes available, and to whom.
import * as z from 'zod/mini'
import { audiences } from './fields/availability.ts'
import { moment, timestamp } from './fields/dates.ts'
import { isTimeZone } from './fields/zoned-time.ts'

export const earlyAccessMaxDays = 365

const timeZone = z
  .string()
  .check(z.maxLength(64), z.refine(isTimeZone, 'Use a time zone name such as Europe/Berlin'))

/** Availability fields in requests of admins. */
export const availabilityInput = {
  release_at: z
    .optional(z.nullable(moment))
    .check(
      z.describe('When to publish, in the future. Null for no date. Requires `release_zone`.'),
    ),
  release_zone: z
    .optional(z.nullable(timeZone))
    .check(z.describe('The time zone in which the date was entered.')),
  early_access_days: z
    .optional(z.number().check(z.int(), z.minimum(0), z.maximum(earlyAccessMaxDays)))
    .check(
      z.describe(
        'Number of days after publication during which only Premium members can play it in full.',
      ),
    ),
  audience: z.optional(z.enum(audiences)),
}

/** Availability fields in responses to admins. */
export const availabilityFields = {
  release_at: z
    .nullable(timestamp)
    .check(
      z.describe(
        'The scheduled publication time. Null if it is not scheduled, or already published.',
      ),
    ),
  release_zone: z.nullable(z.string()),
  early_access_days: z.number(),
  audience: z.enum(audiences),
}
