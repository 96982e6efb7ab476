/** '3 months' */
export function formatPeriod(months: number): string {
  if (months === 12) return '1 year'
  return months === 1 ? '1 month' : `${months} months`
}
