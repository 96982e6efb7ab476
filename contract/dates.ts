// Days and moments as callers give them: from the year 1000 to 2999, so that whatever is reckoned with
// them stays a date that PostgreSQL, JavaScript and the caller agree on.
import * as z from 'zod/mini'

const usualYear = z.refine<string>((text) => /^[12]/.test(text), 'Use a year from 1000 to 2999')
/** The same for who reads the description of the API. */
const described = { pattern: '^[12]' }

/** `2026-11-21` */
export const day = z.iso.date().check(usualYear).register(z.globalRegistry, described)

/** With `Z` or an offset; comes out in UTC, because PostgreSQL knows no offset of 16 hours or more. */
const moment = z.iso
  .datetime({ offset: true })
  .check(usualYear, z.overwrite(toUtc))
  .register(z.globalRegistry, described)

/** A day, or a moment in that same notation. */
export const dayOrMoment = z.union([day, moment])

function toUtc(text: string): string {
  const milliseconds = Date.parse(text)
  // What is no moment was refused by then; checks run on all the same.
  return Number.isNaN(milliseconds) ? text : new Date(milliseconds).toISOString()
}
