// Computes how the availability columns of a row change when it is edited or published.
import type { Audience } from '#contract/fields/availability.ts'
import { addDaysIn } from '#contract/fields/zoned-time.ts'
import type { FieldProblem } from '#contract/errors.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/** The availability columns, except for the one that publishes the row. */
export interface AvailabilityColumns {
  release_at: string | null
  release_zone: string | null
  early_access_days: number
  early_access_until: string | null
  audience: Audience
}

/** The availability fields of a request. */
export interface AvailabilityInput {
  release_at?: string | null | undefined
  release_zone?: string | null | undefined
  early_access_days?: number | undefined
  audience?: Audience | undefined
}

export interface Change {
  /** Whether members could see the row before the change. */
  wasPublished: boolean
  /** Whether the row will be published, now or once its files are ready. */
  isPublished: boolean
  now: Date
  /** Added to errors that the computation throws. */
  details?: { id: string }
}

/** The column values of new and unpublished rows. */
export const noAvailability: AvailabilityColumns = {
  release_at: null,
  release_zone: null,
  early_access_days: 0,
  early_access_until: null,
  audience: 'members',
}

/**
 * The columns to set when a row becomes visible to members at the time `from`. Early access is granted once:
 * unpublishing and publishing again does not restart it.
 */
export function getPublishedColumns(
  row: Pick<AvailabilityColumns, 'release_zone' | 'early_access_days' | 'early_access_until'>,
  from: Date,
): Pick<AvailabilityColumns, 'release_at' | 'early_access_until'> {
  const { early_access_days, early_access_until } = row
  return {
    release_at: null,
    early_access_until:
      early_access_days > 0 ? (early_access_until ?? computeEarlyAccessEnd(row, from)) : null,
  }
}

/**
 * The columns to update for a request. Throws `invalid_input` for a date without a time zone, `release_in_past`, and
 * `release_published` for a date on a row that is to be published now.
 */
export function computeAvailabilityChanges(
  row: AvailabilityColumns,
  input: AvailabilityInput,
  change: Change,
): Partial<AvailabilityColumns> {
  const given = {
    ...(input.audience !== undefined && { audience: input.audience }),
    ...(input.release_zone !== undefined && { release_zone: input.release_zone }),
    ...computeReleaseChange(row, input, change),
  }
  const after = { ...row, ...given }
  if (after.release_at !== null && after.release_zone === null) throwMissingTimeZone()
  return { ...given, ...computeEarlyAccessChange(after, input, change) }
}

function computeReleaseChange(
  row: AvailabilityColumns,
  { release_at }: AvailabilityInput,
  { isPublished, now, details }: Change,
): Partial<AvailabilityColumns> {
  if (release_at === undefined) return {}
  if (release_at === null) return { release_at }
  if (isPublished) throw new AppError('release_published', { details })
  const at = Date.parse(release_at)
  if (row.release_at !== null && Date.parse(row.release_at) === at) return {}
  if (at <= now.getTime()) throw new AppError('release_in_past', { details })
  // Publication on a new date grants early access again.
  return { release_at, early_access_until: null }
}

/**
 * Computes the end of early access. It is counted from the publication, which follows from the current end. If early
 * access never started and the row is already published, it starts now.
 */
function computeEarlyAccessChange(
  row: AvailabilityColumns,
  { early_access_days: days }: AvailabilityInput,
  { wasPublished, now }: Change,
): Partial<AvailabilityColumns> {
  if (days === undefined || days === row.early_access_days) return {}
  const from = getEarlyAccess(row)?.from ?? (wasPublished ? now : null)
  return {
    early_access_days: days,
    early_access_until:
      from && days > 0 ? computeEarlyAccessEnd({ ...row, early_access_days: days }, from) : null,
  }
}

/** The start and end of early access, or null if there is none. */
export function getEarlyAccess(
  row: Pick<AvailabilityColumns, 'release_zone' | 'early_access_days' | 'early_access_until'>,
): { from: Date; until: string } | null {
  const { early_access_days, early_access_until: until } = row
  if (!until) return null
  return { from: addDaysIn(new Date(until), -early_access_days, getTimeZone(row)), until }
}

function computeEarlyAccessEnd(
  row: Pick<AvailabilityColumns, 'release_zone' | 'early_access_days'>,
  from: Date,
): string {
  return addDaysIn(from, row.early_access_days, getTimeZone(row)).toISOString()
}

function getTimeZone({ release_zone }: Pick<AvailabilityColumns, 'release_zone'>): string {
  return release_zone ?? 'UTC'
}

function throwMissingTimeZone(): never {
  const problem: FieldProblem = {
    field: 'release_zone',
    message: 'Choose the time zone of the release date',
  }
  throw new AppError('invalid_input', { details: [problem] })
}
