// Tables by month: cancellation reasons, retention offers and referrals.
import type { Output } from '#contract/endpoint.ts'
import type { getMembershipInsights } from '#contract/admin/money/membership-insights.ts'
import { cancelFeedbackLabels, type CancelReason } from '#contract/cancellations.ts'
import { IconChartLine } from '#web/base/ui/icons/icons.ts'
import { formatCount } from '../../base/format/format-number.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { useMembershipInsights, type Days } from './insight-queries.ts'
import styles from './insights-screen.module.css'

type Figures = Output<typeof getMembershipInsights>
interface Line {
  name: string
  counts: readonly number[]
}

const reasonLabels: Record<CancelReason, string> = {
  ...cancelFeedbackLabels,
  payment_failed: 'The payment failed',
  none: 'No reason given',
}
/** The number of months shown. More columns do not fit on the screen. */
const shownMonths = 12

export function MembershipInsights({ days }: { days: Days }) {
  const query = useMembershipInsights(days)
  const months = (query.data?.months ?? []).slice(-shownMonths)
  const lines = query.data ? toLines(query.data) : []
  return (
    <section className={styles.tracks} aria-labelledby="membership">
      <header className={styles.tracksHeader}>
        <h2 id="membership">Cancellations and referrals</h2>
      </header>
      <DataTable
        label="Cancellations, retention offers and referrals by month"
        stacked
        columnCount={Math.max(months.length, 1) + 1}
        query={query}
        hasDensitySwitch={false}
        failedTitle="Failed to load cancellations"
        head={
          <>
            <th scope="col">Month (UTC)</th>
            {months.map((month) => (
              <th key={month} scope="col" data-numeric>
                {formatMonth(month)}
              </th>
            ))}
          </>
        }
        empty={
          <EmptyState
            icon={<IconChartLine />}
            title="No cancellations or referrals in this period"
            message="Counts the reasons that members give when they cancel."
          />
        }
      >
        {lines.map(({ name, counts }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {counts.slice(-shownMonths).map((count, index) => (
              <td key={months[index]} data-numeric data-label={formatMonth(months[index] ?? '')}>
                {formatCount(count)}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
    </section>
  )
}

function toLines(figures: Figures): Line[] {
  const { reasons, offers_taken, offers_kept, referred, referred_paid, referred_rewarded } = figures
  const canceled = figures.months.map((_, index) =>
    reasons.reduce((total, { counts }) => total + (counts[index] ?? 0), 0),
  )
  return [
    { name: 'Canceled', counts: canceled },
    ...reasons.map(({ reason, counts }) => ({ name: reasonLabels[reason], counts })),
    { name: 'Retention offers accepted', counts: offers_taken },
    { name: 'Stayed after an offer', counts: offers_kept },
    { name: 'Friends who joined', counts: referred },
    { name: 'Friends who paid', counts: referred_paid },
    { name: 'Friends who earned free months', counts: referred_rewarded },
  ].filter(({ counts }) => counts.some((count) => count > 0))
}

const format = new Intl.DateTimeFormat('en', { month: 'short', year: '2-digit', timeZone: 'UTC' })

function formatMonth(month: string): string {
  return month === '' ? '' : format.format(new Date(`${month}-01T00:00:00Z`))
}
