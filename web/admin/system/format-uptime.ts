/** Formats a duration like `3 days 4 h`, `4 h 12 min`, `12 min` or `less than a minute`. */
export function formatUptime(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  const hours = Math.floor(minutes / 60)
  if (hours < 1) return `${minutes} min`
  const days = Math.floor(hours / 24)
  if (days < 1) return `${hours} h ${minutes % 60} min`
  return `${days} ${days === 1 ? 'day' : 'days'} ${hours % 24} h`
}
