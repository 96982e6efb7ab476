// Charts with one value per day for the selected days.
import { useCallback, useMemo } from 'react'
import type { InsightDay } from '#contract/admin/insights.ts'
import { ChartCard } from './chart-card.tsx'
import { formatMoney } from '#contract/currencies.ts'
import { formatCount, formatShortDay } from '../../base/format/format-number.ts'
import styles from './insights-screen.module.css'
import type { ChartSeries } from './line-chart.tsx'

type Name = Exclude<keyof InsightDay, 'day'>

export interface InsightChartsProps {
  days: readonly InsightDay[]
  previous: readonly InsightDay[]
  currency: string
  isCompared: boolean
}

export function InsightCharts({ days, previous, currency, isCompared }: InsightChartsProps) {
  const labels = useMemo(() => days.map(({ day }) => formatShortDay(day)), [days])
  const money = useCallback((cents: number) => formatMoney(cents, currency), [currency])
  const series = useMemo(
    () => buildSeries(days, isCompared ? previous : null),
    [days, previous, isCompared],
  )
  const common = { labels, rowTitle: 'Day' }
  return (
    <div className={styles.charts}>
      <ChartCard
        {...common}
        title="Plays"
        description="Counted after 30 seconds, or after half of a short track."
        series={series.plays}
        format={formatCount}
      />
      <ChartCard
        {...common}
        title="Listeners"
        description="People who played at least one track."
        series={series.listeners}
        format={formatCount}
      />
      <ChartCard
        {...common}
        title="Revenue"
        description="Card and manual payments, by payment date."
        series={series.revenue}
        format={money}
      />
      <ChartCard
        {...common}
        title="Monthly recurring revenue"
        description="Monthly value of all active paid subscriptions."
        series={series.recurring}
        format={money}
      />
      <ChartCard
        {...common}
        title="Sign-ups and new subscribers"
        description="New accounts and first-time subscribers."
        series={series.people}
        format={formatCount}
      />
      <ChartCard
        {...common}
        title="Paying members"
        description="Members who have not renewed within a week count as lost."
        series={series.leaving}
        format={formatCount}
      />
    </div>
  )
}

/**
 * Returns the lines and bars of each chart. `previous` contains the days before the selected ones, or is null if
 * comparison is off.
 */
function buildSeries(days: readonly InsightDay[], previous: readonly InsightDay[] | null) {
  const values = (list: readonly InsightDay[], name: Name) => list.map((day) => day[name])
  const before = (name: Name): ChartSeries[] =>
    previous ? [{ label: 'Previous period', values: values(previous, name), look: 'before' }] : []
  const main = (label: string, name: Name, kind?: 'bars'): ChartSeries => ({
    label,
    values: values(days, name),
    look: 'main',
    ...(kind && { kind }),
  })
  const second = (label: string, name: Name): ChartSeries => ({
    label,
    values: values(days, name),
    look: 'second',
  })
  return {
    plays: [main('Plays', 'plays'), second('Previews', 'previews'), ...before('plays')],
    listeners: [
      main('Last 7 days', 'listeners_7d'),
      second('Daily', 'listeners'),
      ...before('listeners_7d'),
    ],
    revenue: [main('Payments', 'revenue_cents', 'bars'), second('Refunds', 'refunds_cents')],
    recurring: [main('Recurring revenue', 'mrr_cents'), ...before('mrr_cents')],
    people: [
      main('Sign-ups', 'sign_ups', 'bars'),
      second('New subscribers', 'conversions'),
      ...before('sign_ups'),
    ],
    leaving: [main('Paying', 'paying'), second('Lost', 'lost')],
  }
}
