// The member's invoices and receipts. Renders nothing when there are none.
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#contract/currencies.ts'
import { listBills, type Bill } from '#contract/receipts.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatDay } from '../../base/format/format-day.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import styles from './bills-card.module.css'

export function BillsCard() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['own-subscription', 'bills'],
    queryFn: ({ signal }) => call(listBills, {}, { signal }),
  })
  if (error) {
    return (
      <Card title="Invoices">
        <ErrorState
          title="Failed to load your invoices"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      </Card>
    )
  }
  if (!data || data.data.length === 0) return null
  return (
    <Card title="Invoices">
      <ul className={styles.list}>
        {data.data.map((bill) => (
          <BillRow key={bill.id} bill={bill} />
        ))}
      </ul>
      {data.has_more && (
        <p className={textStyles.softSmall}>Older invoices are under “Manage Billing”.</p>
      )}
    </Card>
  )
}

function BillRow({ bill }: { bill: Bill }) {
  const { kind, number, amount_cents, currency, is_paid, created_at, url, pdf_url } = bill
  const name = `${kind === 'invoice' ? 'Invoice' : 'Receipt'} ${number}`
  return (
    <li className={styles.row}>
      <time dateTime={created_at}>{formatDay(created_at)}</time>
      <span className={styles.name}>
        {kind === 'receipt' ? (
          <ScreenLink to={`/receipts/${number}`}>{name}</ScreenLink>
        ) : url === null ? (
          name
        ) : (
          <a href={url}>{name}</a>
        )}
        {!is_paid && <Badge>Open</Badge>}
      </span>
      <span className={styles.amount}>{formatMoney(amount_cents, currency)}</span>
      {pdf_url !== null && (
        <a href={pdf_url} aria-label={`${name} as PDF`}>
          PDF
        </a>
      )}
    </li>
  )
}
