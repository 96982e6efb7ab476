// Formats days and timestamps in the time zone of the browser.

import { formatEndDay } from '../../../base/format/format-end-day.ts'

const dayOptions = { year: 'numeric', month: 'short', day: 'numeric' } as const
const day = new Intl.DateTimeFormat('en', dayOptions)
const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const shortMoment = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** Formats a day like `Nov 21, 2026`. */
export function formatDay(timestamp: string): string {
  return day.format(new Date(timestamp))
}

/** Formats when a subscription ends. If the end was entered as a day, it is the same day in every time zone. */
export function formatEnd(timestamp: string): string {
  return formatEndDay(timestamp, dayOptions)
}

/** Formats a timestamp like `Nov 21, 2026, 4:30:05 AM`. */
export function formatMoment(timestamp: string): string {
  return moment.format(new Date(timestamp))
}

/** Formats a timestamp like `Nov 21, 4:30 AM`, with the year if it isn't the current one. */
export function formatShortMoment(timestamp: string): string {
  const date = new Date(timestamp)
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  return (isThisYear ? shortMoment : minute).format(date)
}

/** Formats a time in UTC for a file name, like `2026-11-21T04-30-05`. */
export function formatFileTimestamp(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(':', '-')
}
