// Formats moments in a named time zone.

/** `Nov 27, 2026, 6:00 PM` */
export function formatZoned(at: Date, timeZone: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const
  return new Intl.DateTimeFormat('en', options).format(at)
}
