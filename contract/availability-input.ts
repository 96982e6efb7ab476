// The fields of admins for when and for whom something that is published can be opened or heard.
import * as z from 'zod/mini'
import { audiences } from './fields/availability.ts'
import { moment, timestamp } from './fields/dates.ts'
import { isTimeZone } from './fields/zoned-time.ts'

export const earlyAccessMaxDays = 365

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
