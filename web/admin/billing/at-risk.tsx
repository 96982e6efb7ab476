// Subscription payments that failed and that Stripe retries: amount, reason, and the end of the grace period.
import { formatMoney } from '#contract/currencies.ts'
import type { PaymentAtRisk } from '#contract/admin/admin-billing.ts'
import { paymentFailureMessages } from '#contract/payment-failures.ts'
import { formatDay, formatEnd } from '../shared/format/format-moment.ts'
import { PersonLink } from '../shared/person-link.tsx'
import styles from './at-risk.module.css'

export function AtRisk({ payments }: { payments: readonly PaymentAtRisk[] | undefined }) {
  if (!payments || payments.length === 0) return null
  return (
    <details className={styles.box}>
      <summary className={styles.summary}>
        <strong>Money at risk: {formatSums(payments).join(', ')}</strong> ·{' '}
        {payments.length === 1 ? '1 failed payment' : `${payments.length} failed payments`}
      </summary>
      <ul className={styles.list}>
        {payments.map((payment) => (
          <li key={`${payment.user_id} ${payment.failed_at}`} className={styles.row}>
            <PersonLink id={payment.user_id} email={payment.email} show="email" />
            <span>
              {formatMoney(payment.amount_cents, payment.currency)} on{' '}
              {formatDay(payment.failed_at)}
            </span>
            <span className={styles.note}>
              {paymentFailureMessages[payment.reason]}{' '}
              {payment.next_try_at
                ? `Stripe retries on ${formatDay(payment.next_try_at)}.`
                : 'Stripe does not retry automatically.'}{' '}
              {payment.premium_until
                ? `Premium remains active until ${formatEnd(payment.premium_until)}.`
                : 'Premium has ended.'}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function formatSums(payments: readonly PaymentAtRisk[]): string[] {
  const sums = new Map<string, number>()
  for (const { currency, amount_cents } of payments) {
    sums.set(currency, (sums.get(currency) ?? 0) + amount_cents)
  }
  return [...sums].map(([currency, cents]) => formatMoney(cents, currency))
}
