// Days as people type them into a filter are days of their own time; the server would take those of UTC.

/** The first moment of a day; what is no day stays as it is, for the server to refuse. */
export function startOfLocalDay(day: string): string {
  return momentOf(day, 'T00:00:00.000')
}

/** The last moment of a day. */
export function endOfLocalDay(day: string): string {
  return momentOf(day, 'T23:59:59.999')
}

function momentOf(day: string, localTime: string): string {
  const moment = new Date(day + localTime)
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString()
}
