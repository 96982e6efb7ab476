// Form state for publication date, early access and audience, and their part of the request body.
import { type Audience } from '#contract/fields/availability.ts'
import { earlyAccessMaxDays } from '#contract/availability-input.ts'
import { toInstant, toLocalTime, type ZonedInstant } from '#contract/fields/zoned-time.ts'
import { getChangedFields } from '../conflicts/merge-forms.ts'

export interface AvailabilityForm {
  /** As entered, in the time zone `release_zone`. Empty if there is no date. */
  release_date: string
  release_time: string
  release_zone: string
  /** As entered. */
  early_access_days: string
  audience: Audience
}

/** The device's time zone. */
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

/** Converts the entered date and time to an instant. Null if there is no date. */
export function toReleaseInstant(form: AvailabilityForm): ZonedInstant | null {
  const { release_date, release_time, release_zone } = form
  return release_date ? toInstant(`${release_date}T${release_time || '00:00'}`, release_zone) : null
}

/** Returns the error message for the number of days, or null if the number is valid. */
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
 * Returns the request fields: those that differ from `before`, or all fields if `before` is absent. A date is always
 * sent with its time zone.
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
