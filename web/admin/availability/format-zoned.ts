// Formats timestamps in a given time zone.

/** Formats a date like `Nov 27, 2026, 6:00 PM`. */
export function formatZoned(at: Date, timeZone: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const
  return new Intl.DateTimeFormat('en', options).format(at)
}

/** Formats a date with its time zone, like `Nov 27, 2026, 6:00 PM EST`. */
export function formatZonedShort(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(at)
}
