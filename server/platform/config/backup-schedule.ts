// Computes when backups are due. A backup missed while the server was down is made at the next start.
import { CronExpressionParser } from 'cron-parser'

const names: Record<string, string> = { daily: '0 3 * * *', hourly: '0 * * * *' }

/** The cron expression with five fields, in the server's time zone. Null if the text is not a cron expression. */
export function parseSchedule(text: string): string | null {
  const expression = names[text] ?? text
  if (expression.split(/\s+/).length !== 5) return null
  try {
    CronExpressionParser.parse(expression)
    return expression
  } catch {
    return null
  }
}

/** Returns the last two scheduled times, up to and including `now`. */
export function findLastTimes(expression: string, now: Date): { last: Date; secondLast: Date } {
  // One millisecond later, because `prev` excludes the given moment.
  const currentDate = new Date(now.getTime() + 1)
  const times = CronExpressionParser.parse(expression, { currentDate })
  return { last: times.prev().toDate(), secondLast: times.prev().toDate() }
}

export function findNextTime(expression: string, now: Date): Date {
  return CronExpressionParser.parse(expression, { currentDate: now }).next().toDate()
}
