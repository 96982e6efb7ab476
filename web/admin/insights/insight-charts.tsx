// The charts of the range, by day.
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
    () => seriesOf(days, isCompared ? previous : null),
    [days, previous, isCompared],
  )
  const common = { labels, rowTitle: 'Day' }
  return (
    <div className={styles.charts}>
      <ChartCard
        {...common}
        title="Plays"
        description="Counted after 30 seconds, or half of a short track."
        series={series.plays}
        format={formatCount}
      />
      <ChartCard
        {...common}
        title="Listeners"
        description="Different people who played something."
        series={series.listeners}
        format={formatCount}
      />
      <ChartCard
        {...common}
        title="Revenue"
        description="By card and by hand, on the day it was paid."
        series={series.revenue}
        format={money}
      />
      <ChartCard
        {...common}
        title="Monthly recurring revenue"
        description="What everything that is paid for right then brings in a month."
        series={series.recurring}
        format={money}
      />
      <ChartCard
        {...common}
        title="Sign-ups and new subscribers"
        description="New accounts, and people who paid for the first time."
        series={series.people}
        format={formatCount}
      />
      <ChartCard
        {...common}
        title="Paying members"
        description="Who stopped is known a week after the last paid day."
        series={series.leaving}
        format={formatCount}
      />
    </div>
  )
}

/** The lines and bars of each chart; `previous` is the range before, if it is compared. */
function seriesOf(days: readonly InsightDay[], previous: readonly InsightDay[] | null) {
  const values = (list: readonly InsightDay[], name: Name) => list.map((day) => day[name])
  const before = (name: Name): ChartSeries[] =>
    previous ? [{ label: 'Before', values: values(previous, name), look: 'before' }] : []
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
      main('Within 7 days', 'listeners_7d'),
      second('On the day', 'listeners'),
      ...before('listeners_7d'),
    ],
    revenue: [main('Came in', 'revenue_cents', 'bars'), second('Paid back', 'refunds_cents')],
    recurring: [main('Monthly recurring', 'mrr_cents'), ...before('mrr_cents')],
    people: [
      main('Sign-ups', 'sign_ups', 'bars'),
      second('New subscribers', 'conversions'),
      ...before('sign_ups'),
    ],
    leaving: [main('Pay', 'paying'), second('Stopped', 'lost')],
  }
}
