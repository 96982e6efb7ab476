// Shows that the last payment failed, why, and when Premium ends. The invoice's page at Stripe accepts another card.
// The customer portal changes the card for later payments.
import { IconAlertTriangle } from '#web/base/ui/icons/icons.ts'
import { paymentFailureMessages } from '#contract/payment-failures.ts'
import type { Profile } from '#contract/profiles.ts'
import { formatEndDay } from '../../base/format/format-end-day.ts'
import { buttonClass } from '../../base/ui/controls/button-class.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import styles from './payment-notice.module.css'
import { useBillingPortal } from './profile-queries.ts'

export function PaymentNotice({ problem }: { problem: NonNullable<Profile['payment_problem']> }) {
  const { reason, premium_until, pay_url } = problem
  const portal = useBillingPortal()
  return (
    <section className={styles.notice} aria-label="Payment failed">
      <span className={styles.icon} aria-hidden="true">
        <IconAlertTriangle />
      </span>
      <p className={styles.text}>
        <strong>Your last payment failed.</strong> {paymentFailureMessages[reason]}{' '}
        {premium_until === null
          ? 'Premium has ended. It resumes as soon as the payment is made.'
          : `Premium remains active until ${formatEndDay(premium_until, { dateStyle: 'long' })}.`}
      </p>
      <span className={styles.actions}>
        {pay_url !== null && (
          <a className={buttonClass({ variant: 'primary', size: 'small' })} href={pay_url}>
            Pay Now
          </a>
        )}
        <Button size="small" busy={portal.isPending} onClick={() => portal.mutate()}>
          Change Card
        </Button>
      </span>
    </section>
  )
}
