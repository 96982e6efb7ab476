const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })

/** Formats a moment as 'Nov 22, 2026', in the user's time zone. */
export function formatDay(moment: string): string {
  return day.format(new Date(moment))
}

const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Formats a moment as 'Nov 22, 2026, 4:30 PM', in the user's time zone. */
export function formatMinute(moment: string): string {
  return minute.format(new Date(moment))
}
