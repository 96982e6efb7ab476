// Form state for publication date, early access and audience, and their part of the request body.
import { type Audience } from '#contract/fields/availability.ts'
import { earlyAccessMaxDays } from '#contract/availability-input.ts'
import { toInstant, toLocalTime, type ZonedInstant } from '#contract/fields/zoned-time.ts'
import { changedFields } from '../conflicts/merge-forms.ts'

export interface AvailabilityForm {
  /** As entered, in the time zone `release_zone`. Empty without a date. */
  release_date: string
  release_time: string
  release_zone: string
  /** As entered. */
  early_access_days: string
  audience: Audience
}

/** The device's time zone. */
export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

export function emptyAvailability(audience: Audience = 'members'): AvailabilityForm {
  return {
    release_date: '',
    release_time: '00:00',
    release_zone: localZone(),
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

export function availabilityFormOf(item: Available): AvailabilityForm {
  const release_zone = item.release_zone ?? localZone()
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

/** The entered date and time. Null without a date. */
export function releaseOf(form: AvailabilityForm): ZonedInstant | null {
  const { release_date, release_time, release_zone } = form
  return release_date ? toInstant(`${release_date}T${release_time || '00:00'}`, release_zone) : null
}

/** Error message for the number of days. Null if the number is valid. */
export function findDaysProblem({ early_access_days }: AvailabilityForm): string | null {
  const days = Number(early_access_days || '0')
  const isRight = Number.isInteger(days) && days >= 0 && days <= earlyAccessMaxDays
  return isRight ? null : `Early access lasts 0 to ${earlyAccessMaxDays} days`
}

/** `release_at` is null for a published item, because it has no date. */
function valuesOf(form: AvailabilityForm, isPublished: boolean) {
  return {
    release_at: isPublished ? null : (releaseOf(form)?.at.toISOString() ?? null),
    release_zone: form.release_zone,
    early_access_days: Number(form.early_access_days || '0'),
    audience: form.audience,
  }
}

interface Wanted {
  form: AvailabilityForm
  isPublished: boolean
}

/** The request fields: those that changed since `before`, or all of them. A date is always sent with its time zone. */
export function availabilityBody(wanted: Wanted, before?: Wanted) {
  const values = valuesOf(wanted.form, wanted.isPublished)
  const changed: Partial<typeof values> = before
    ? changedFields(values, valuesOf(before.form, before.isPublished))
    : values
  const { release_zone, ...rest } = changed
  const { release_at } = values
  const isOtherDate = 'release_at' in changed || release_zone !== undefined
  return release_at !== null && isOtherDate
    ? { ...rest, release_at, release_zone: values.release_zone }
    : rest
}
