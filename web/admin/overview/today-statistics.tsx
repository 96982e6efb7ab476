// Today's statistics, each with the average day and a chart of the last two weeks.
import type { Overview, OverviewFigure } from '#contract/admin/admin-overview.ts'
import { formatMoney } from '#contract/currencies.ts'
import { formatCount, formatShortDay } from '../../base/format/format-number.ts'
import styles from './overview-screen.module.css'

const titles: Record<OverviewFigure, string> = {
  plays: 'Plays',
  listeners: 'Listeners',
  sign_ups: 'Sign-ups',
  net_cents: 'Revenue',
}

export function TodayStatistics({ overview }: { overview: Overview }) {
  return (
    <section aria-label="Today">
      <dl className={styles.figures}>
        {(Object.keys(titles) as OverviewFigure[]).map((name) => (
          <Figure key={name} name={name} overview={overview} />
        ))}
      </dl>
    </section>
  )
}

function Figure({ name, overview }: { name: OverviewFigure; overview: Overview }) {
  const { days, usual, currency } = overview
  const formatValue = (value: number) =>
    name === 'net_cents' ? formatMoney(value, currency) : formatAverage(value)
  const today = days.at(-1)?.[name] ?? 0
  return (
    <div className={styles.figure}>
      <dt className={styles.figureTitle}>{titles[name]} today</dt>
      <dd className={styles.value}>
        {name === 'net_cents' ? formatMoney(today, currency) : formatCount(today)}
      </dd>
      <dd className={styles.usual}>
        {usual ? `${formatValue(usual[name])} on an average day` : 'No earlier day to compare with'}
      </dd>
      <dd className={styles.spark} aria-hidden="true">
        <Spark values={days.map((day) => day[name])} labels={days.map(({ day }) => day)} />
      </dd>
    </div>
  )
}

/** Formats an average, with one decimal if it is below ten. */
function formatAverage(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })
}

/** A chart with one bar per day, today in the accent color. A day on which refunds exceeded payments has no bar. */
function Spark({ values, labels }: { values: readonly number[]; labels: readonly string[] }) {
  const most = Math.max(...values, 1)
  return values.map((value, at) => (
    <span
      key={labels[at]}
      title={formatShortDay(labels[at] ?? '')}
      data-today={at === values.length - 1 || undefined}
      style={{ height: `${Math.max(0, value / most) * 100}%` }}
    />
  ))
}
