const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })

/** 'Nov 22, 2026', in the user's time zone. */
export function formatDay(moment: string): string {
  return day.format(new Date(moment))
}
