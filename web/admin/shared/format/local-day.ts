// Converts a day typed into a filter to a timestamp in local time. The server would read a plain day as UTC.

/** Returns the start of the day. An invalid day is returned unchanged, so that the server rejects it. */
export function startOfLocalDay(day: string): string {
  return toTimestamp(day, 'T00:00:00.000')
}

/** Returns the end of the day. An invalid day is returned unchanged, too. */
export function endOfLocalDay(day: string): string {
  return toTimestamp(day, 'T23:59:59.999')
}

function toTimestamp(day: string, localTime: string): string {
  const moment = new Date(day + localTime)
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString()
}
