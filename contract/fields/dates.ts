// Dates and timestamps. Requests accept the years 1000 to 2999, so that the results of date arithmetic are valid in
// PostgreSQL, in JavaScript and for the caller.
import * as z from 'zod/mini'

const usualYear = z.refine<string>((text) => /^[12]/.test(text), 'Use a year from 1000 to 2999')
/** The same range, for the API description. */
const described = { pattern: '^[12]' }

/** `2026-11-21` */
export const day = z.iso.date().check(usualYear).register(z.globalRegistry, described)

/** With `Z` or an offset. Converted to UTC, because PostgreSQL accepts no offset of 16 hours or more. */
export const moment = z.iso
  .datetime({ offset: true })
  .check(usualYear, z.overwrite(toUtc))
  .register(z.globalRegistry, described)

/** In a response: `2026-11-21T18:30:00.000Z`. */
export const timestamp = z.iso.datetime({ offset: true })

/** A day, or a timestamp. */
export const dayOrMoment = z.union([day, moment])

function toUtc(text: string): string {
  const milliseconds = Date.parse(text)
  // Invalid timestamps have already been rejected, but the remaining checks still run.
  return Number.isNaN(milliseconds) ? text : new Date(milliseconds).toISOString()
}
