// Dates and timestamps. Requests accept the years 1000 to 2999, so that date arithmetic gives dates that PostgreSQL,
// JavaScript and the caller can represent.
import * as z from 'zod/mini'

const usualYear = z.refine<string>((text) => /^[12]/.test(text), 'Use a year from 1000 to 2999')
/** The range of years as a pattern, for the API description. */
const described = { pattern: '^[12]' }

/** `2026-11-21` */
export const day = z.iso.date().check(usualYear).register(z.globalRegistry, described)

/**
 * A timestamp in a request, with `Z` or an offset. Converted to UTC, because PostgreSQL rejects offsets of 16 hours
 * or more.
 */
export const moment = z.iso
  .datetime({ offset: true })
  .check(usualYear, z.overwrite(toUtc))
  .register(z.globalRegistry, described)

/** A day, or a timestamp, in a request. */
export const timestamp = z.iso.datetime({ offset: true })

/** A day, or a timestamp. */
export const dayOrMoment = z.union([day, moment])

function toUtc(text: string): string {
  const milliseconds = Date.parse(text)
  // Zod runs this although an earlier check has rejected an invalid timestamp, so return it unchanged.
  return Number.isNaN(milliseconds) ? text : new Date(milliseconds).toISOString()
}
