// Form state for a spot.
import type { AdminSpot } from '#contract/admin/service/admin-spots.ts'
import type { SpotKind } from '#contract/spots.ts'
import { endOfLocalDay, startOfLocalDay } from '../shared/format/local-day.ts'

export interface SpotForm {
  kind: SpotKind
  title: string
  text: string
  link_url: string
  link_label: string
  is_on: boolean
  /** First and last day in local time, or empty. */
  first_day: string
  last_day: string
  category_ids: string[]
}

export const spotLabels: Record<keyof SpotForm, string> = {
  kind: 'Kind',
  title: 'Title',
  text: 'Text',
  link_url: 'Link',
  link_label: 'Link text',
  is_on: 'On',
  first_day: 'Start date',
  last_day: 'End date',
  category_ids: 'Categories',
}

export function formOfSpot(spot: AdminSpot | null): SpotForm {
  return {
    kind: spot?.kind ?? 'sound',
    title: spot?.title ?? '',
    text: spot?.text ?? '',
    link_url: spot?.link_url ?? '',
    link_label: spot?.link_label ?? '',
    is_on: spot?.is_on ?? true,
    first_day: spot?.starts_at ? formatLocalDay(spot.starts_at) : '',
    last_day: spot?.ends_at ? formatLocalDay(spot.ends_at) : '',
    category_ids: spot?.category_ids ?? [],
  }
}

/** Returns the request fields. The days are converted to timestamps in the browser's time zone. */
export function toSpotFields({ kind: _kind, first_day, last_day, link_url, ...form }: SpotForm) {
  return {
    ...form,
    link_url: link_url.trim() || null,
    starts_at: first_day ? startOfLocalDay(first_day) : null,
    ends_at: last_day ? endOfLocalDay(last_day) : null,
  }
}

/** Formats a day in the browser's time zone, like `2026-11-25`. */
export function formatLocalDay(moment: string): string {
  const date = new Date(moment)
  const padTwo = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`
}

export interface SpotProblems {
  title?: string | undefined
  link_url?: string | undefined
  last_day?: string | undefined
}

export function findSpotProblems(form: SpotForm): SpotProblems {
  const { title, link_url, first_day, last_day } = form
  return {
    title: title.trim() ? undefined : 'Title is required',
    link_url:
      link_url.trim() && !/^https?:\/\/[^/\s]+/i.test(link_url.trim())
        ? 'Use an address that starts with https://'
        : undefined,
    last_day:
      first_day && last_day && last_day < first_day
        ? 'The end date must be after the start date'
        : undefined,
  }
}
