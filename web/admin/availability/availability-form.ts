// Form state for publication date, early access and audience, and their part of the request body.
import { type Audience } from '#contract/fields/availability.ts'
import { earlyAccessMaxDays } from '#contract/availability-input.ts'
import { toInstant, toLocalTime, type ZonedInstant } from '#contract/fields/zoned-time.ts'
import { getChangedFields } from '../conflicts/merge-forms.ts'

export interface AvailabilityForm {
  /** The publication date as typed, in the time zone `release_zone`. Empty if there is no date. */
  release_date: string
  release_time: string
  release_zone: string
  /** The number of days as typed. */
  early_access_days: string
  audience: Audience
}

/** Returns the name of the device's time zone, such as `Europe/Berlin`. */
export function getLocalZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

export function emptyAvailability(audience: Audience = 'members'): AvailabilityForm {
  return {
    release_date: '',
    release_time: '00:00',
    release_zone: getLocalZone(),
    early_access_days: '0',
    audience,
  }
}

export interface Available {
  release_at: string | null
  release_zone: string | null
  early_access_days: number
  audience: Audience
}

export function toAvailabilityForm(item: Available): AvailabilityForm {
  const release_zone = item.release_zone ?? getLocalZone()
  const [release_date = '', release_time = '00:00'] = item.release_at
    ? toLocalTime(new Date(item.release_at), release_zone).split('T')
    : []
  const { audience } = item
  return {
    release_date,
    release_time,
    release_zone,
    early_access_days: String(item.early_access_days),
    audience,
  }
}

/** Converts the typed publication date and time to a point in time. Returns null if no date was typed. */
export function toReleaseInstant(form: AvailabilityForm): ZonedInstant | null {
  const { release_date, release_time, release_zone } = form
  return release_date ? toInstant(`${release_date}T${release_time || '00:00'}`, release_zone) : null
}

/** Returns the error message for the days of early access, or null if their number is valid. */
export function findDaysProblem({ early_access_days }: AvailabilityForm): string | null {
  const days = Number(early_access_days || '0')
  const isValid = Number.isInteger(days) && days >= 0 && days <= earlyAccessMaxDays
  return isValid ? null : `Early access lasts 0 to ${earlyAccessMaxDays} days`
}

/** `release_at` is null for a published item, because a published item has no date. */
function toValues(form: AvailabilityForm, isPublished: boolean) {
  return {
    release_at: isPublished ? null : (toReleaseInstant(form)?.at.toISOString() ?? null),
    release_zone: form.release_zone,
    early_access_days: Number(form.early_access_days || '0'),
    audience: form.audience,
  }
}

interface Wanted {
  form: AvailabilityForm
  isPublished: boolean
}

/**
 * Returns the request fields: only those that differ from `before`, or all fields without `before`. A date is always
 * sent together with its time zone.
 */
export function toAvailabilityBody(wanted: Wanted, before?: Wanted) {
  const values = toValues(wanted.form, wanted.isPublished)
  const changed: Partial<typeof values> = before
    ? getChangedFields(values, toValues(before.form, before.isPublished))
    : values
  const { release_zone, ...rest } = changed
  const { release_at } = values
  const isOtherDate = 'release_at' in changed || release_zone !== undefined
  return release_at !== null && isOtherDate
    ? { ...rest, release_at, release_zone: values.release_zone }
    : rest
}
