// The days selected on the Insights screen, stored in the URL. Days are in UTC, because the server aggregates by UTC
// day.
export const rangePresets = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '12m', label: '12 months' },
  { value: 'custom', label: 'Custom' },
] as const
export type RangePreset = (typeof rangePresets)[number]['value']

export interface InsightRange {
  preset: RangePreset
  /** First and last day, such as `2026-11-21`. Both are included. */
  start: string
  end: string
}

const defaultPreset = '30'
const dayMs = 24 * 3600_000
const isDay = /^\d{4}-\d{2}-\d{2}$/

/** Reads the selected days from the URL. Returns the last 30 days if the URL is invalid. */
export function readRange(
  values: { range: string; start: string; end: string },
  now: Date,
): InsightRange {
  const today = toUtcDay(now)
  const preset = rangePresets.find(({ value }) => value === values.range)?.value ?? defaultPreset
  if (preset === 'custom') {
    const { start, end } = values
    const isWhole = [start, end].every((day) => isDay.test(day) && !Number.isNaN(Date.parse(day)))
    if (isWhole && start <= end) return { preset, start, end }
    return { preset, ...getLastDays(today, 30) }
  }
  if (preset === '12m') return { preset, start: getYearBefore(today), end: today }
  return { preset, ...getLastDays(today, Number(preset)) }
}

/** Returns the `count` days that end with `end`. */
function getLastDays(end: string, count: number): { start: string; end: string } {
  return { start: toUtcDay(new Date(Date.parse(end) - (count - 1) * dayMs)), end }
}

function getYearBefore(day: string): string {
  const start = new Date(Date.parse(day) + dayMs)
  start.setUTCFullYear(start.getUTCFullYear() - 1)
  return toUtcDay(start)
}

function toUtcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
