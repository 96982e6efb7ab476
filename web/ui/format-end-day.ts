// The day on which something ends. An end that was typed as a day is kept as the last moment of that day in
// UTC, and is that day for everybody; any other end is a moment, told in the person's own time.

const lastMoment = 'T23:59:59.999Z'

/** `dateStyle` and its like say how the day is written. */
export function formatEndDay(end: string, options: Intl.DateTimeFormatOptions): string {
  const zone = end.endsWith(lastMoment) ? { timeZone: 'UTC' } : {}
  return new Intl.DateTimeFormat('en', { ...options, ...zone }).format(new Date(end))
}
