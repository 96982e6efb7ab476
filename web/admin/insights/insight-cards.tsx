// Cards with totals of the selected days, each compared with the same number of days before.
import type { InsightDay } from '#contract/admin/insights.ts'
import { previewLeadDays } from '#contract/admin/insights.ts'
import { formatMoney } from '#contract/currencies.ts'
import { formatCount, formatShare } from '../../base/format/format-number.ts'
import { getRelativeChange, computeChurn, computeInsightTotals } from './insight-totals.ts'
import styles from './insight-cards.module.css'

export interface InsightCardsProps {
  days: readonly InsightDay[]
  previous: readonly InsightDay[]
  currency: string
  isCompared: boolean
}

export function InsightCards({ days, previous, currency, isCompared }: InsightCardsProps) {
  const [now, was] = [computeInsightTotals(days), computeInsightTotals(previous)]
  const churn = computeChurn(days, previous)
  const change = (
    name: 'plays' | 'listeners_7d' | 'completion' | 'sign_ups' | 'net_cents' | 'mrr_cents',
  ) => (isCompared ? getRelativeChange(now[name], was[name]) : undefined)
  return (
    <dl className={styles.cards}>
      <Figure title="Plays" value={formatCount(now.plays)} change={change('plays')}>
        and {formatCount(now.previews)} previews
      </Figure>
      <Figure
        title="Weekly listeners"
        value={formatCount(now.listeners_7d)}
        change={change('listeners_7d')}
      >
        {formatCount(now.listeners)} on an average day
      </Figure>
      <Figure title="Completion" value={formatShare(now.completion)} change={change('completion')}>
        of started plays reach the end
      </Figure>
      <Figure title="Sign-ups" value={formatCount(now.sign_ups)} change={change('sign_ups')}>
        new accounts
      </Figure>
      <Figure
        title="Revenue"
        value={formatMoney(now.net_cents, currency)}
        change={change('net_cents')}
      >
        after refunds
      </Figure>
      <Figure
        title="Recurring revenue"
        value={formatMoney(now.mrr_cents, currency)}
        change={change('mrr_cents')}
      >
        from {formatCount(days.at(-1)?.paying ?? 0)} paying members
      </Figure>
      <Figure title="Churn" value={formatShare(churn)}>
        of existing subscribers left
      </Figure>
      <Figure title="New subscribers" value={formatCount(now.conversions)}>
        {formatCount(now.preview_conversions)} within {previewLeadDays} days of a preview
      </Figure>
    </dl>
  )
}

interface FigureProps {
  title: string
  value: string
  /** The relative change from the earlier value. Undefined if comparison is off. Null if there is no earlier value. */
  change?: number | null | undefined
  children: React.ReactNode
}

function Figure({ title, value, change, children }: FigureProps) {
  return (
    <div className={styles.card}>
      <dt className={styles.title}>{title}</dt>
      <dd className={styles.value}>
        {value}
        {change !== undefined && change !== null && (
          <span className={styles.change} data-falls={change < 0 || undefined}>
            <span aria-hidden="true">{change < 0 ? '▼' : '▲'}</span>
            <span className={styles.hidden}>{change < 0 ? 'down' : 'up'}</span>
            {formatShare(Math.abs(change))}
          </span>
        )}
      </dd>
      <dd className={styles.note}>{children}</dd>
    </div>
  )
}
