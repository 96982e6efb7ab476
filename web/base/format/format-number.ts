// Formats numbers for the Insights screens.

/** Formats a number as `12,345`. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Formats a fraction as `42%`, or `4.2%` below ten percent; a dash for null. */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  const digits = Math.abs(share) < 0.1 ? 1 : 0
  return share.toLocaleString('en', { style: 'percent', maximumFractionDigits: digits })
}

/** Formats the day `2026-11-21` as `Nov 21`. */
export function formatShortDay(day: string): string {
  return new Date(day).toLocaleDateString('en', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })
}
