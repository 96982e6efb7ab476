// Formats the day on which something ends. An end entered as a day is stored as the last moment of that day in UTC and
// shows the same day to everyone. Any other end is a moment, shown in the user's time zone.

const lastMoment = 'T23:59:59.999Z'

/** @param options format of the date, such as `dateStyle` */
export function formatEndDay(end: string, options: Intl.DateTimeFormatOptions): string {
  const zone = end.endsWith(lastMoment) ? { timeZone: 'UTC' } : {}
  return new Intl.DateTimeFormat('en', { ...options, ...zone }).format(new Date(end))
}
