import { expect, test } from 'vitest'
import type { InsightDay } from '#contract/admin/insights.ts'
import { getRelativeChange, computeChurn, computeInsightTotals } from './insight-totals.ts'

const empty: InsightDay = {
  day: '2026-01-01',
  plays: 0,
  previews: 0,
  starts: 0,
  completed: 0,
  heard_seconds: 0,
  listeners: 0,
  listeners_7d: 0,
  sign_ups: 0,
  revenue_cents: 0,
  refunds_cents: 0,
  mrr_cents: 0,
  paying: 0,
  lost: 0,
  conversions: 0,
  preview_conversions: 0,
}

test('computes sums and rates of the range, and values at its end', () => {
  const days = [
    { ...empty, plays: 3, starts: 4, completed: 1, listeners: 2, revenue_cents: 999 },
    { ...empty, plays: 1, listeners: 1, refunds_cents: 99, mrr_cents: 5, listeners_7d: 3 },
  ]
  expect(computeInsightTotals(days)).toMatchObject({
    plays: 4,
    net_cents: 900,
    mrr_cents: 5,
    listeners: 1.5,
    listeners_7d: 3,
    completion: 0.25,
  })
  expect(computeInsightTotals([])).toMatchObject({ plays: 0, completion: null })
})

test('computes churn from the subscribers at the start of the range, and returns null without earlier data', () => {
  expect(computeChurn([{ ...empty, lost: 1 }], [{ ...empty, paying: 4 }])).toBe(0.25)
  expect(computeChurn([{ ...empty, lost: 1 }], [empty])).toBeNull()
  expect(getRelativeChange(3, 2)).toBe(0.5)
  expect(getRelativeChange(3, 0)).toBeNull()
  expect(getRelativeChange(null, 2)).toBeNull()
})
