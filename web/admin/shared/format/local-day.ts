// Converts days typed into a filter to local timestamps. The server would read plain days as UTC.

/** Returns the start of a day. Invalid days are returned unchanged, so that the server rejects them. */
export function startOfLocalDay(day: string): string {
  return toTimestamp(day, 'T00:00:00.000')
}

/** Returns the end of a day. Invalid days are returned unchanged as well. */
export function endOfLocalDay(day: string): string {
  return toTimestamp(day, 'T23:59:59.999')
}

function toTimestamp(day: string, localTime: string): string {
  const moment = new Date(day + localTime)
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString()
}
