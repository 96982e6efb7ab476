// Computes totals of the selected days: sums, rates, and values on the last day.
import type { InsightDay } from '#contract/admin/insights.ts'

export interface InsightTotals {
  plays: number
  previews: number
  starts: number
  completed: number
  sign_ups: number
  conversions: number
  preview_conversions: number
  /** Payments minus refunds. */
  net_cents: number
  /** The value on the last day. */
  mrr_cents: number
  listeners_7d: number
  /** Average number of listeners per day. */
  listeners: number
  /** Completed plays divided by started plays, 0 to 1. Null if no play was started. */
  completion: number | null
}

export function computeInsightTotals(days: readonly InsightDay[]): InsightTotals {
  const sum = (name: Exclude<keyof InsightDay, 'day'>) =>
    days.reduce((total, day) => total + day[name], 0)
  const last = days.at(-1)
  const [starts, completed] = [sum('starts'), sum('completed')]
  return {
    plays: sum('plays'),
    previews: sum('previews'),
    starts,
    completed,
    sign_ups: sum('sign_ups'),
    conversions: sum('conversions'),
    preview_conversions: sum('preview_conversions'),
    net_cents: sum('revenue_cents') - sum('refunds_cents'),
    mrr_cents: last?.mrr_cents ?? 0,
    listeners_7d: last?.listeners_7d ?? 0,
    listeners: days.length === 0 ? 0 : sum('listeners') / days.length,
    completion: starts === 0 ? null : completed / starts,
  }
}

/**
 * Returns the share of subscribers at the start of the range whose subscription ended within the range. Null if there
 * were no subscribers.
 */
export function computeChurn(
  days: readonly InsightDay[],
  before: readonly InsightDay[],
): number | null {
  const paying = before.at(-1)?.paying ?? 0
  if (paying === 0) return null
  return days.reduce((total, { lost }) => total + lost, 0) / paying
}

/** Returns the relative change from `before` to `now`. Null if one of them is missing or `before` is zero. */
export function getRelativeChange(now: number | null, before: number | null): number | null {
  if (now === null || before === null || before === 0) return null
  return (now - before) / Math.abs(before)
}
